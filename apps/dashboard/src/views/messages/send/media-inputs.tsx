import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { mediaTypes, type Values } from './values.ts';

/** What each kind of file may be. */
const limits: Readonly<Record<Values['type'], string>> = {
  image: 'JPEG, PNG or WebP, at most 5 MB.',
  video: 'MP4 or 3GP, at most 16 MB.',
  audio: 'MP3, OGG or AAC, at most 16 MB.',
  document: 'PDF, DOCX, XLSX and others, at most 100 MB.',
};

/** A file by its URL, with its caption and name. */
export function MediaInputs({ form }: { readonly form: UseFormReturnType<Values> }): ReactNode {
  const { type } = form.values;
  return (
    <>
      <NativeSelect
        label="Type"
        description={limits[type]}
        data={[...mediaTypes]}
        {...form.getInputProps('type')}
      />
      <TextInput
        label="File URL"
        description="A public http(s) URL. The file is downloaded when the message is sent."
        inputMode="url"
        {...form.getInputProps('url')}
      />
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
