import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import path from 'node:path';

/** A file on disk while it is written and read. */
export interface SpoolFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Reads the file from its beginning. May be called again. */
  read(): AsyncIterable<Uint8Array>;
  /** Frees its space. May be called again. */
  close(): Promise<void>;
}

const readBytes = 65_536;

/**
 * Opens a new file in `dir`, which is created if it is missing. `passed` gets the bytes of every buffer that was
 * written or read. The file's name is removed at once, so its space is free after `close` or at the end of the process,
 * however it ends.
 */
export async function createSpoolFile(dir: string, passed: (bytes: number) => void): Promise<SpoolFile> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const name = path.join(dir, `${randomUUID()}.spool`);
  const handle = await open(name, 'wx+', 0o600);
  await unlink(name).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  let closing: Promise<void> | null = null;
  return {
    async write(chunk) {
      await handle.appendFile(chunk);
      passed(chunk.length);
    },
    read: () => readAll(handle, passed),
    close: () => (closing ??= handle.close()),
  };
}

async function* readAll(handle: FileHandle, passed: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafeSlow(readBytes),
      0,
      readBytes,
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
    passed(bytesRead);
  }
}
