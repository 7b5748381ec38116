import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from '@notify/testkit';

/*
 * `npm run peers`: starts a fake of every provider, each in its own process, so that a person can connect accounts and
 * try them. Prints how to start Notify against them and what to connect. Ctrl-C ends them.
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

const peers = [
  { provider: 'telegram-bot', program: 'telegram-peer-main.ts', port: 4101 },
  { provider: 'twilio', program: 'twilio-peer-main.ts', port: 4102 },
  { provider: 'vonage', program: 'vonage-peer-main.ts', port: 4103 },
  { provider: 'whatsapp-cloud', program: 'whatsapp-cloud-peer-main.ts', port: 4104 },
  { provider: 'http-sms', program: 'sms-gateway-main.ts', port: 4105 },
] as const;
const whatsapp = { program: '../../../apps/whatsapp-sessions/peer/main.ts', port: 4106 };

/** A peer's control port is its own port plus this. */
const controlOffset = 100;
const folder = path.resolve(import.meta.dirname, '../packages/testkit/src');

async function start({ program, port }: { program: string; port: number }): Promise<Introduction> {
  const args = [path.join(folder, program), String(port), String(port + controlOffset)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  child.once('exit', (code) => {
    console.error(`${program} ended with ${code ?? 'a signal'}`);
    process.exit(1);
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as Introduction;
}

process.once('SIGINT', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
const running = await Promise.all(peers.map(async (peer) => ({ ...peer, ...(await start(peer)) })));
const urls = running
  .filter(({ provider }) => provider !== 'http-sms')
  .map(({ provider, url }) => `${provider}=${url}`)
  .join(',');
const web = (await start(whatsapp)) as WhatsappIntroduction;
const certificate = path.join(tmpdir(), 'notify-whatsapp-media.pem');
await writeFile(certificate, web.mediaCertificate);
const trusted = `NODE_EXTRA_CA_CERTS=${certificate} WHATSAPP_WEB_ROOT_KEY=${web.rootPublicKey}`;
console.log(
  `Start Notify against them:\n  PUBLIC_URL=http://127.0.0.1:3000 PROVIDER_URLS=${urls} \\
  ${trusted} WHATSAPP_WEB_URL=${web.url} npm start\n`,
);
console.log('Then connect, with POST /v1/channel-accounts:');
for (const { provider, settings, controlUrl } of [...running, { provider: 'whatsapp-web', ...web }]) {
  console.log(`  ${JSON.stringify({ provider, name: provider, settings })}`);
  console.log(`    what it got: curl ${controlUrl}/ledger`);
}
console.log(
  `\nScan a QR code of whatsapp-web: curl ${web.controlUrl}/scan -d '{"qr":"…","phone":"15550000001"}'`,
);
