import {
  FileInput,
  NativeSelect,
  Progress,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { thisInstallation } from '../../../installation.ts';
import { AttachIcon } from '../../../parts/icons.tsx';
import { acceptOf, inMegabytes, limitOf } from './file-choice.ts';
import { mediaTypes } from './media-types.ts';
import type { Values } from './values.ts';

/** A file from the computer or by its URL, with its caption and name. `sentBytes`: how much of it has been uploaded, null before. */
export function MediaInputs({
  form,
  sentBytes,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly sentBytes: number | null;
}): ReactNode {
  const { type, source } = form.values;
  return (
    <>
      <NativeSelect
        label="Type"
        description={limitOf(type, source === 'file' ? thisInstallation().maxFileBytes : undefined)}
        data={[...mediaTypes]}
        {...form.getInputProps('type')}
      />
      <SegmentedControl
        aria-label="Source"
        data={[
          { value: 'file', label: 'From this device' },
          { value: 'url', label: 'By URL' },
        ]}
        {...form.getInputProps('source')}
      />
      {source === 'file' ? (
        <FromDevice form={form} sentBytes={sentBytes} />
      ) : (
        <TextInput
          label="File URL"
          description="A public http(s) URL. The file is downloaded when the message is sent."
          inputMode="url"
          {...form.getInputProps('url')}
        />
      )}
      {type === 'document' && (
        <TextInput
          label="File name"
          description="Optional. As the recipient sees it."
          maxLength={255}
          {...form.getInputProps('filename')}
        />
      )}
      {type !== 'audio' && (
        <Textarea
          label="Caption"
          description="Optional"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('caption')}
        />
      )}
    </>
  );
}

function FromDevice({
  form,
  sentBytes,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly sentBytes: number | null;
}): ReactNode {
  const { type, file } = form.values;
  const accept = acceptOf(type);
  return (
    <Stack gap={6}>
      <FileInput
        label="File"
        placeholder="Choose a file"
        description="Uploaded when you send. It is removed an hour after the message has ended."
        leftSection={<AttachIcon size={16} />}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        disabled={sentBytes !== null}
        {...(accept === undefined ? {} : { accept })}
        {...form.getInputProps('file')}
      />
      {file !== null && sentBytes !== null && <Uploaded file={file} sentBytes={sentBytes} />}
    </Stack>
  );
}

function Uploaded({ file, sentBytes }: { readonly file: File; readonly sentBytes: number }): ReactNode {
  return (
    <>
      <Progress value={(sentBytes / file.size) * 100} aria-label="Upload" />
      <Text size="xs" c="dimmed">
        {inMegabytes(sentBytes)} of {inMegabytes(file.size)}
      </Text>
    </>
  );
}
