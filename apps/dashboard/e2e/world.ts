import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { type Receiver, startProcesses, startReceiver, startRedis, testDatabase } from '@notify/testkit';
import type { Page } from 'playwright-core';
import { buildDashboard } from './built.ts';
import { launchChromium } from './chromium.ts';
import { type Guard, guard } from './guard.ts';
import { type Peer, type PeerName, startPeer } from './peer.ts';
import { register, type Tenant } from './tenant.ts';

export type { Page } from 'playwright-core';

/** How a page is looked at. */
export interface Look {
  /** Default light. */
  readonly scheme?: 'light' | 'dark';
  /** In px; default 1280. */
  readonly width?: number;
  /** The language of the browser; default en-GB. */
  readonly locale?: string;
  /** Who is logged in; default nobody. */
  readonly tenant?: Tenant;
}

export interface WorldOptions {
  /** Providers that accounts are connected to; each costs a process. */
  readonly peers?: readonly PeerName[];
  /** Settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The real service over a real database, what it talks to, and a browser in front of it. */
export interface World extends AsyncDisposable {
  /** Where the dashboard and the api are. */
  readonly url: string;
  readonly db: Db;
  /** Takes webhooks, and answers as it is told. */
  readonly receiver: Receiver;
  readonly peers: Readonly<Partial<Record<PeerName, Peer>>>;
  registerTenant(name?: string): Promise<Tenant>;
  /** A page in a browser profile of its own. What it must not do fails the test at `checkGuards`. */
  newPage(look?: Look): Promise<Page>;
  /** Throws where a page breached its policy, wrote an error, threw, or asked another host. Put it into `afterEach`. */
  checkGuards(): void;
}

/** Limits that tests would run into, and cheap passwords. */
const easy = { LOGIN_ATTEMPTS_PER_MINUTE: '1000', LOGIN_ATTEMPTS_PER_ADDRESS: '1000', BCRYPT_COST: '4' };
/** What the sessions of the browsers that are logged in beforehand show. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** A browser that hangs fails its test. */
const actionWithinMs = 60_000;

/** Opens a world; one for a test file is enough, for it costs some 5 s. */
export async function openWorld({ peers: names = [], env = {} }: WorldOptions = {}): Promise<World> {
  await using opening = new AsyncDisposableStack();
  await buildDashboard();
  const database = opening.use(await testDatabase());
  const redis = await startRedis();
  opening.defer(() => redis.stop());
  const receiver = opening.use(await startReceiver());
  const peers: Partial<Record<PeerName, Peer>> = {};
  for (const name of names) {
    const peer = await startPeer(name);
    peers[name] = peer;
    opening.defer(() => peer.stop());
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-world-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const processes = await startProcesses({
    databaseUrl: database.url,
    redisUrl: redis.url,
    whatsapp: names.includes('whatsapp-web') ? 1 : 0,
    env: { ...easy, ...(await peerSettings(peers, folder)), ...env },
  });
  opening.defer(() => processes.stop());
  const browser = await launchChromium();
  opening.defer(() => browser.close());
  const url = processes.api[0]!.url;
  const guards: Guard[] = [];
  const all = opening.move();

  async function newPage({
    scheme = 'light',
    width = 1280,
    locale = 'en-GB',
    tenant,
  }: Look = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: url,
      colorScheme: scheme,
      viewport: { width, height: width < 600 ? 740 : 860 },
      locale,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(actionWithinMs);
    if (tenant !== undefined) await context.addCookies([refreshCookie(url, await freshToken(tenant))]);
    const page = await context.newPage();
    guards.push(guard(page, url));
    return page;
  }

  /** Logs in: a token serves one browser only, since every refresh replaces it. */
  async function freshToken({ email, password }: Tenant): Promise<string> {
    const answer = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email, password }),
    });
    return /svc_refresh=([^;]+)/.exec(answer.headers.getSetCookie().join(';'))?.[1] ?? '';
  }

  return {
    url,
    db: database.db,
    receiver,
    peers,
    registerTenant: (name = 'Acme') => register(url, name),
    newPage,
    checkGuards() {
      for (const one of guards) one.check();
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

function refreshCookie(url: string, value: string) {
  const { hostname: domain } = new URL(url);
  return { name: 'svc_refresh', value, domain, path: '/auth', httpOnly: true, sameSite: 'Strict' } as const;
}
