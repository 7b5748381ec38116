import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';

/** The right to use a data folder, held by one process at a time. */
export interface DataFolder {
  release(): Promise<void>;
}

/**
 * Makes the folder and locks it. The holder answers on a port of loopback with an id that only it knows, so the lock
 * goes with the process, however that ends, and a process number used again fools nobody. Throws, in one line, when the
 * folder cannot be written or another `npm start` has it.
 */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  const file = path.join(dir, 'lock.json');
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

interface Holder {
  readonly id: string;
  readonly port: number;
}

async function writable(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    const probe = path.join(dir, `.probe-${randomUUID()}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`cannot write to ${path.resolve(dir)} (${code}): make it writable, or set DATA_DIR`);
  }
}

async function takeLock(file: string, holder: Holder, dir: string): Promise<void> {
  const draft = `${file}.${holder.id}`;
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    // link() fails where the lock exists, and makes it with its content.
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

/** What the port answers; empty when nothing listens, or something that waits to be spoken to first. */
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
