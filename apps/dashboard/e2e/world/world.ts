import type { Db } from '@notify/db/connection';
import { openTestDb, type Receiver, startReceiver } from '@notify/testkit';
import type { Page } from 'playwright-core';
import { connectChromium, launchChromium } from './chromium.ts';
import { type Guard, guard } from './guard.ts';
import { startInstallation } from './installation.ts';
import { type Peer, type PeerName, peerOf } from './peer.ts';
import type { InstallationOptions, Place } from './place.ts';
import { askShared, sharedOptions } from './shared.ts';
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

/** What the sessions of the browsers that are logged in beforehand show. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** A browser that hangs fails its test. */
const actionWithinMs = 60_000;

/**
 * Opens a world, one for a test file. In a run of tests it shares its browser with all of them, and with those that need no
 * settings of their own the installation: tests look at tenants that they have registered, and change none of the others.
 */
export async function openWorld(wanted: InstallationOptions = {}): Promise<World> {
  await using opening = new AsyncDisposableStack();
  const { url, databaseUrl, peers } = await placeFor(wanted, opening);
  const db = openTestDb(databaseUrl);
  opening.defer(() => db.destroy());
  const receiver = opening.use(await startReceiver());
  const shared = await askShared('browser');
  const browser = await (shared === null ? launchChromium() : connectChromium(shared));
  opening.defer(() => browser.close());
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
    db,
    receiver,
    peers: Object.fromEntries(Object.entries(peers).map(([name, one]) => [name, peerOf(one)])),
    registerTenant: (name = 'Acme') => register(url, name),
    newPage,
    checkGuards() {
      for (const one of guards) one.check();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The installation that tests share, if it has all that is wanted; else one of its own, until `opening` ends. */
async function placeFor(wanted: InstallationOptions, opening: AsyncDisposableStack): Promise<Place> {
  const isShared =
    wanted.env === undefined &&
    wanted.sends === undefined &&
    (wanted.peers ?? []).every((name) => (sharedOptions.peers as readonly PeerName[]).includes(name));
  const shared = isShared ? await askShared('installation') : null;
  return shared ?? opening.use(await startInstallation(wanted)).place;
}

function refreshCookie(url: string, value: string) {
  const { hostname: domain } = new URL(url);
  return { name: 'svc_refresh', value, domain, path: '/auth', httpOnly: true, sameSite: 'Strict' } as const;
}
