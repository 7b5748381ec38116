import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailure } from '../failures.ts';

/** Where an earlier `listen` stopped. */
export interface Saved {
  readonly cursor: string;
  readonly savedAt: string;
}

/** Keeps the position in a file. */
export interface PositionFile {
  readonly file: string;
  /** Null if there is none. */
  read(): Promise<Saved | null>;
  /** Writes it soon. Later positions replace it. */
  save(cursor: string): void;
  /** Resolves when the last position is in the file. Rejects if a write failed. */
  flush(): Promise<void>;
}

/**
 * The file of this service, tenant and target. The secret of the events stands for the tenant: it never changes, and
 * a token that replaces another one has the same.
 */
export function positionFileOf(folder: string, service: string, secret: string, target: URL): string {
  const name = createHash('sha256')
    .update(JSON.stringify([service, secret, target.href]))
    .digest('hex');
  return path.join(folder, 'listen', `${name.slice(0, 32)}.json`);
}

/** How often the file is written at most, in ms. After a crash, the events of this time are forwarded again. */
const everyMs = 250;

/**
 * Opens the position in this file, with `about` beside it for people who read the file. Nothing is read or written yet.
 */
export function openPosition(file: string, about: Readonly<Record<string, string>>): PositionFile {
  let wanted: string | null = null;
  let writing: Promise<void> | null = null;
  let failure: unknown = null;

  async function write(): Promise<void> {
    while (wanted !== null) {
      const cursor = wanted;
      wanted = null;
      await replace(file, { ...about, cursor, savedAt: new Date().toISOString() });
      if (wanted !== null) await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  async function start(): Promise<void> {
    try {
      await write();
    } catch (error) {
      failure = error;
    } finally {
      writing = null;
    }
  }

  return {
    file,
    read: () => readSaved(file),
    save(cursor) {
      wanted = cursor;
      writing ??= start();
    },
    async flush() {
      await writing;
      if (failure !== null) throw new CommandFailure(`the position cannot be saved in ${file}`);
    },
  };
}

async function readSaved(file: string): Promise<Saved | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const { cursor, savedAt } = JSON.parse(text) as Partial<Saved>;
    if (typeof cursor === 'string') return { cursor, savedAt: savedAt ?? '' };
  } catch {
    // Falls through to the same answer.
  }
  throw new CommandFailure(`${file} is damaged`, {
    hint: 'Use --since to say where to begin; the file is then written anew.',
  });
}

/** A reader sees the old file or the new one. */
async function replace(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const half = `${file}.${process.pid}`;
  await writeFile(half, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(half, file);
}
