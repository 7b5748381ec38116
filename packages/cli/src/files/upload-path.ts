import { openAsBlob } from 'node:fs';
import path from 'node:path';
import type { Notify } from '@notify/sdk';
import { UsageFailure } from '../failures.ts';

export type UploadedFile = Awaited<ReturnType<Notify['tenantFiles']['upload']>>;

/** Uploads a file of this machine, read while it is sent. Throws UsageFailure if it cannot be read. */
export async function uploadPath(notify: Notify, file: string, signal: AbortSignal): Promise<UploadedFile> {
  const content = await opened(file).catch((error: unknown) => {
    throw new UsageFailure(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return notify.tenantFiles.upload(content, { filename: path.basename(file), signal });
}

/** `openAsBlob` throws at once for a file that is not there. */
async function opened(file: string): Promise<Blob> {
  return openAsBlob(file);
}
