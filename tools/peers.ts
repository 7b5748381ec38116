import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adapters } from '@notify/channels';
import { loadOnly, makePrivateFolder } from '@notify/runtime';
import { endWithNpm, endWithUs, peers } from '@notify/testkit';
import { readConnection } from '../apps/all-in-one/src/connection.ts';
import { isInUse } from '../apps/all-in-one/src/data-folder.ts';

/*
 * `npm run peers`: starts a fake of every provider, each in its own process, so that a person can connect accounts and
 * try them. As long as it runs, the `npm start` of the same data folder (DATA_DIR) calls them instead of the providers.
 * Prints whether it found one, and what to connect. It ends with Ctrl-C, or with npm.
 */

/** The line that a peer prints when it listens. */
interface Introduction {
  readonly url: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly controlUrl: string;
}

/** WhatsApp Web has keys of its own that clients must be told to trust. */
interface WhatsappIntroduction extends Introduction {
  readonly rootPublicKey: string;
  readonly mediaCertificate: string;
}

const firstPort = 4101;
const whatsapp = path.resolve(import.meta.dirname, '../apps/whatsapp-sessions/peer/main.ts');

/** An account with more text than this, such as one with a key, is left in a file instead of being printed. */
const longestPrinted = 400;
/** A peer's control port is its own port plus this. */
const controlOffset = 100;

async function start(program: string, port: number): Promise<Introduction> {
  const args = [program, String(port), String(port + controlOffset)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  child.once('exit', (code) => {
    console.error(`${program} ended with ${code ?? 'a signal'}`);
    process.exit(1);
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as Introduction;
}

/** The files that this process leaves in the data folder, until it ends. */
const left: string[] = [];
process.once('exit', () => left.forEach((file) => rmSync(file, { force: true })));

/** Puts a file into the data folder, whole, until this process ends; its path. */
async function leave(name: string, text: string): Promise<string> {
  const file = path.join(folderOfData, name);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
  left.push(file);
  return file;
}

/** What curl posts: the account, or the name of a file that has it. */
async function printed(provider: string, account: string): Promise<string> {
  return account.length <= longestPrinted ? account : `@${await leave(`peers-${provider}.json`, account)}`;
}

function foundText(at: string): string {
  return `Found npm start on http://127.0.0.1:${at} (data folder ${folderOfData}).
It restarts its processes now to call these fakes, and prints "ready" again. Ctrl-C here ends that.`;
}

function noneText(): string {
  return `No npm start runs on the data folder ${folderOfData}.
One that is started there calls these fakes as long as they run. If yours runs on another folder, press Ctrl-C and set DATA_DIR to it.`;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0));
endWithNpm();
const environment = { ...process.env, NOTIFY_MODE: process.env.NOTIFY_MODE || 'development' };
const { port: wantedPort, dataDir } = loadOnly(environment, ['port', 'dataDir']);
const folderOfData = path.resolve(dataDir);
const fakes = await Promise.all(
  Object.keys(peers).map(async (provider, index) => {
    const program = fileURLToPath(import.meta.resolve(`@notify/testkit/peers/${provider}`));
    return { provider, ...(await start(program, firstPort + index)) };
  }),
);
const web = (await start(whatsapp, firstPort + fakes.length)) as WhatsappIntroduction;
await makePrivateFolder(folderOfData);
const settings = {
  PROVIDER_URLS: fakes
    .filter(({ provider }) => adapters.get(provider)?.baseUrl !== null)
    .map(({ provider, url }) => `${provider}=${url}`)
    .join(','),
  WHATSAPP_WEB_URL: web.url,
  WHATSAPP_WEB_ROOT_KEY: web.rootPublicKey,
  NODE_EXTRA_CA_CERTS: await leave('peers.pem', web.mediaCertificate),
};
// `npm start` looks for this file.
await leave('peers.json', JSON.stringify({ pid: process.pid, settings }));

const running = await isInUse(folderOfData);
const port = (running ? (await readConnection(folderOfData))?.PORT : undefined) ?? wantedPort;
console.log(running ? foundText(String(port)) : noneText());
console.log('\nConnect an account, with TOKEN from the README:');
for (const { provider, settings: own, controlUrl } of [...fakes, { provider: 'whatsapp-web', ...web }]) {
  const account = JSON.stringify({ provider, name: provider, settings: own });
  console.log(`
  curl http://127.0.0.1:${port}/v1/channel-accounts -H "Authorization: Bearer $TOKEN" \\
    -H content-type:application/json -d '${await printed(provider, account)}'
  curl ${controlUrl}/ledger   # what it got`);
}
console.log(`
Telegram's fake knows the chats 1000 to 1999.
Scan a QR code of whatsapp-web: curl ${web.controlUrl}/scan -d '{"qr":"…","phone":"15550000001"}'`);
