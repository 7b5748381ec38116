import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcesses, startRedis, testDatabase } from '@notify/testkit';
import { untilBuilt } from './built.ts';
import { type Peer, type PeerName, startPeer } from './peer.ts';
import type { InstallationOptions, Place } from './place.ts';

/** The real service over a real database, and its peers. */
export interface Installation extends AsyncDisposable {
  readonly place: Place;
}

/** Limits that tests would run into, and cheap passwords. */
const easy = { LOGIN_ATTEMPTS_PER_MINUTE: '1000', LOGIN_ATTEMPTS_PER_ADDRESS: '1000', BCRYPT_COST: '4' };

/** Starts one, with a dashboard of the present sources. It ends with this process. */
export async function startInstallation({
  peers: names = [],
  env = {},
  sends = true,
}: InstallationOptions): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  await untilBuilt();
  const database = opening.use(await testDatabase());
  const redis = await startRedis();
  opening.defer(() => redis.stop());
  const peers: Partial<Record<PeerName, Peer>> = {};
  for (const name of names) {
    const peer = await startPeer(name);
    peers[name] = peer;
    opening.defer(() => peer.stop());
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-installation-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const processes = await startProcesses({
    databaseUrl: database.url,
    redisUrl: redis.url,
    dispatch: sends ? 1 : 0,
    webhook: sends ? 1 : 0,
    whatsapp: names.includes('whatsapp-web') ? 1 : 0,
    env: { ...easy, ...(await peerSettings(peers, folder)), ...env },
  });
  opening.defer(() => processes.stop());
  const all = opening.move();
  return {
    place: {
      url: processes.api[0]!.url,
      databaseUrl: database.url,
      peers: Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, peer.introduction])),
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Leads the service to the peers. WhatsApp Web has keys of its own, that its clients must be told to trust. */
async function peerSettings(
  peers: Readonly<Partial<Record<PeerName, Peer>>>,
  folder: string,
): Promise<Record<string, string>> {
  const { 'whatsapp-web': web, 'http-sms': _anyUrl, ...others } = peers;
  const urls = Object.entries(others).map(([name, peer]) => `${name}=${peer.url}`);
  const settings: Record<string, string> = urls.length === 0 ? {} : { PROVIDER_URLS: urls.join(',') };
  if (web === undefined) return settings;
  const certificate = path.join(folder, 'media.pem');
  await writeFile(certificate, String(web.introduction.mediaCertificate));
  return {
    ...settings,
    WHATSAPP_WEB_URL: web.url,
    WHATSAPP_WEB_ROOT_KEY: String(web.introduction.rootPublicKey),
    NODE_EXTRA_CA_CERTS: certificate,
  };
}
