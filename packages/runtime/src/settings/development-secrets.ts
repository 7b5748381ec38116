import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder } from '../process/private-folder.ts';

/** The two variables that production requires, as text. */
export interface DevelopmentSecrets {
  readonly MASTER_KEYS: string;
  readonly JWT_SECRETS: string;
}

/**
 * Reads `secrets.json` in `dataDir`. If it is missing, makes it atomically, readable by its owner only; concurrent
 * processes get the same file. Throws if the folder is not writable or the file is damaged. The file is never replaced,
 * because the values it sealed would be lost.
 */
export async function developmentSecrets(dataDir: string): Promise<DevelopmentSecrets> {
  const file = path.join(dataDir, 'secrets.json');
  const existing = await readIfThere(file);
  if (existing !== null) return parseSecrets(existing, file);
  await makePrivateFolder(dataDir);
  await createOnce(file, `${JSON.stringify(newSecrets(), null, 2)}\n`);
  return parseSecrets(await readFile(file, 'utf8'), file);
}

function newSecrets(): DevelopmentSecrets {
  const key = (): string => randomBytes(32).toString('base64');
  return { MASTER_KEYS: `1:${key()}`, JWT_SECRETS: `1:${key()}` };
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Writes a draft beside the file, then links it into place. The link fails if another process was first. */
async function createOnce(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
}

function parseSecrets(content: string, file: string): DevelopmentSecrets {
  const secrets = parseJson(content) as Partial<DevelopmentSecrets> | null;
  const { MASTER_KEYS, JWT_SECRETS } = secrets ?? {};
  if (typeof MASTER_KEYS !== 'string' || typeof JWT_SECRETS !== 'string') {
    throw new Error(`${file} is damaged: expected JSON with MASTER_KEYS and JWT_SECRETS`);
  }
  return { MASTER_KEYS, JWT_SECRETS };
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}
