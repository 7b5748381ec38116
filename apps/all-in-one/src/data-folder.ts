import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { makePrivateFolder } from '@notify/runtime';

/** The right to use a data folder, held by one process at a time. */
export interface DataFolder {
  release(): Promise<void>;
}

/**
 * Creates the folder, closes it to others and locks it. The holder answers on a loopback port with an id that only it
 * knows. So the lock ends with the process, however it ends, and a reused process number fools nobody. Throws a
 * one-line error if the folder cannot be written or another `npm start` holds it.
 */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  const file = lockOf(dir);
  const id = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(id));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  try {
    await writable(dir);
    await takeLock(file, { id, port }, dir);
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    async release() {
      await rm(file, { force: true });
      server.close();
    },
  };
}

/** Whether a process holds the folder, now. */
export function isInUse(dir: string): Promise<boolean> {
  return isHeld(lockOf(dir));
}

function lockOf(dir: string): string {
  return path.join(dir, 'lock.json');
}

interface Holder {
  readonly id: string;
  readonly port: number;
}

async function writable(dir: string): Promise<void> {
  try {
    await makePrivateFolder(dir);
    await closeToOthers(dir);
    const probe = path.join(dir, `.probe-${randomUUID()}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`cannot write to ${path.resolve(dir)} (${code}): make it writable, or set DATA_DIR`);
  }
}

/** Permissions that must go. A group may enter without reading: see `admitServer` of `@notify/embedded`. */
const openToOthers = 0o067;

/** Closes a folder that an earlier version left open to everybody. Only its owner can do that. */
async function closeToOthers(dir: string): Promise<void> {
  const { mode } = await stat(dir);
  if ((mode & openToOthers) === 0) return;
  await chmod(dir, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
}

async function takeLock(file: string, holder: Holder, dir: string): Promise<void> {
  const draft = `${file}.${holder.id}`;
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    // link() fails if the lock exists, and otherwise creates it with its content.
    const taken = await link(draft, file).then(
      () => true,
      () => false,
    );
    if (taken) return;
    if (await isHeld(file))
      throw new Error(`another npm start is using ${path.resolve(dir)}: stop it, or set DATA_DIR`);
    await rm(file, { force: true });
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    const { id, port } = JSON.parse(text) as Holder;
    return (await answerOf(port)) === id;
  } catch {
    return false;
  }
}

/** The port's answer. Empty if nothing listens, or if the server waits for the client to speak first. */
async function answerOf(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
  socket.on('timeout', () => socket.destroy());
  let answer = '';
  try {
    for await (const chunk of socket) answer += String(chunk);
  } catch {
    return '';
  }
  return answer;
}
