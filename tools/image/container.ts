import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { endWithUs, freePort, type Receiver, startReceiver } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import { commandOf, environmentOf } from './stage-lines.ts';
import { untilReady } from './until-ready.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Debian's `nobody`, who owns nothing in the image, as the image's own user. */
const nobody = 65_534;

/** The image `ci`, built in a folder. */
export interface CiImage {
  /** What the image has as `/app`. */
  readonly folder: string;
  /** The lines of its stage, after those of the stages below. */
  readonly lines: readonly string[];
  /** The environment in which a container would run. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs the command of the image `ci`, configured as in examples/ci, by a user who can write nowhere but in a temporary
 * folder. Sends a message by the key, receives its events at the webhook, and ends it as Docker does. Throws if it is not
 * ready in time, if a line of its log is not JSON, or if it leaves a file.
 */
export async function tryContainer(image: CiImage, scratch: string): Promise<void> {
  await using receiver = await startReceiver();
  const seeds = parseEnv(readFileSync(path.join(root, 'examples/ci/notify.env'), 'utf8'));
  const port = await freePort();
  const temporary = path.join(scratch, 'temporary');
  mkdirSync(temporary);
  chmodSync(temporary, 0o777);
  const own = {
    PORT: String(port),
    HOST: '127.0.0.1',
    TMPDIR: temporary,
    NOTIFY_SEED_WEBHOOK_URL: receiver.url,
  };
  const child = start(image, scratch, { ...seeds, ...own });
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  try {
    await untilReady(child, `http://127.0.0.1:${port}/readyz`);
    await sendAndReceive(`http://127.0.0.1:${port}`, seeds, receiver);
  } catch (error) {
    throw new Error(`notify all: ${String(error)}\n${lines.join('\n')}`, { cause: error });
  } finally {
    child.kill('SIGTERM');
  }
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`notify all ended with ${child.exitCode}:\n${lines.join('\n')}`);
  for (const line of lines) JSON.parse(line);
  const left = readdirSync(temporary);
  if (left.length > 0) throw new Error(`notify all left ${left.join(', ')}`);
}

/** Runs the last CMD line. As root, the program runs as somebody else, with a copy of Node that everybody can read. */
function start(image: CiImage, scratch: string, settings: NodeJS.ProcessEnv): ChildProcess {
  const programs = path.join(scratch, 'programs');
  mkdirSync(programs);
  copyFileSync(process.execPath, path.join(programs, 'node'));
  const env = { ...image.env, ...environmentOf(image.lines), ...settings };
  const places = [path.join(image.folder, 'bin'), programs, '/usr/bin', '/bin'];
  const [command = '', ...args] = commandOf(image.lines, 'CMD');
  const child = spawn(path.join(image.folder, 'bin', command), args, {
    cwd: image.folder,
    env: { ...env, PATH: places.join(':'), HOME: '/' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  endWithUs(child);
  return child;
}

async function sendAndReceive(url: string, seeds: NodeJS.Dict<string>, receiver: Receiver): Promise<void> {
  const response = await fetch(`${url}/v1/notify/sms/text`, {
    method: 'POST',
    headers: { 'X-Api-Key': seeds.NOTIFY_SEED_API_KEY ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: '+14155550123', text: 'Hello' }),
  });
  if (response.status !== 202) throw new Error(`a send was answered with ${response.status}`);
  const { id } = (await response.json()) as { id: string };
  const webhook = new Webhook(seeds.NOTIFY_SEED_WEBHOOK_SECRET ?? '');
  await receiver.next(({ body, headers }) => {
    const event = webhook.verify(body, headers as Record<string, string>) as {
      event: string;
      messageId: string;
    };
    return event.event === 'message.delivered' && event.messageId === id;
  });
}
