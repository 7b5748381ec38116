import { Button, Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { DownloadIcon, ImageIcon } from '../../../parts/icons.tsx';
import { saveUrl } from '../../../parts/save-file.ts';
import { byteSize } from '../../../parts/time/time-text.ts';
import classes from './body-parts.module.css';
import { FileIcon } from './file-icon.tsx';
import { downloadName, isPicture } from './file-name.ts';
import { kindOf } from './message-text.ts';
import { useFile } from './use-file.ts';

/** A file that a person sent. It stays with the provider until somebody asks for it. */
export function InboundFile({
  messageId,
  file,
}: {
  readonly messageId: string;
  readonly file: Extract<MessageDetails['body'], { mimeType: string | null }>;
}): ReactNode {
  const { type, caption, filename, mimeType, bytes } = file;
  const [state, read] = useFile(messageId);
  const isBusy = state.kind === 'reading';
  const name = filename ?? kindOf({ type });
  const facts = [...(bytes === null ? [] : [byteSize(bytes)]), ...(mimeType === null ? [] : [mimeType])];
  async function download(): Promise<void> {
    const next = await read();
    if (next.kind === 'read') saveUrl(next.url, downloadName(file, messageId, next.type));
  }
  return (
    <>
      <div className={classes.box}>
        <FileIcon type={type} />
        <div className={classes.what}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {facts.length > 0 && (
            <Text size="xs" c="dimmed">
              {facts.join(' · ')}
            </Text>
          )}
        </div>
      </div>
      {state.kind === 'read' && type === 'image' && <Picture url={state.url} type={state.type} name={name} />}
      {state.kind === 'gone' ? (
        <Text size="xs" c="dimmed" mt={6} role="status">
          No longer available from the provider.
        </Text>
      ) : (
        <div className={classes.actions}>
          {type === 'image' && state.kind !== 'read' && isPicture(mimeType ?? 'image/jpeg') && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<ImageIcon size={14} />}
              loading={isBusy}
              onClick={() => void read()}
            >
              Show image
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<DownloadIcon size={14} />}
            loading={isBusy}
            onClick={() => void download()}
            aria-label={`Download ${name}`}
          >
            Download
          </Button>
        </div>
      )}
      {state.kind === 'failed' && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {state.detail}
        </Text>
      )}
      {caption !== null && <p className={classes.caption}>{caption}</p>}
    </>
  );
}

/** Not every image is one that browsers draw. */
function Picture({
  url,
  type,
  name,
}: {
  readonly url: string;
  readonly type: string;
  readonly name: string;
}): ReactNode {
  if (isPicture(type)) return <img src={url} alt={name} className={classes.picture} />;
  return (
    <Text size="xs" c="dimmed" mt={6} role="status">
      This image cannot be shown here. Download it instead.
    </Text>
  );
}
