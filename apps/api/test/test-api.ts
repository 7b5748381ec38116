import { randomBytes } from 'node:crypto';
import { adapters, openProviderHttp } from '@notify/channels';
import type { ObjectStore } from '@notify/egress';
import type { Waker } from '@notify/queue';
import { createLog, createSecrets, loadSettings, type Settings } from '@notify/runtime';
import { testDatabase, type TestDatabase } from '@notify/testkit';
import type { RequestListener } from 'node:http';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { createParts, type Parts } from '../src/parts.ts';
import { openRateStore } from '../src/http/rate-store.ts';
import type { Mailer } from '../src/mail/mailer.ts';

/** An api over its own database. */
export interface TestApi extends AsyncDisposable {
  readonly app: RequestListener;
  readonly parts: Parts;
  readonly database: TestDatabase;
  /** A second process on the same database and settings, as far as memory goes. */
  another(): Promise<RequestListener>;
}

/** Who was woken; the queue itself has tests of its own. */
export interface RecordingWaker extends Waker {
  readonly woken: { readonly kind: string; readonly id: string }[];
}

/** Starts an api whose settings are those of development, with cheap passwords, but for `changes`. Its mails go to `mailer`, its files to `objects`. */
export async function testApi(
  changes: Partial<Settings> = {},
  mailer: Mailer | null = null,
  given: TestDatabase | null = null,
  objects: ObjectStore | null = null,
): Promise<TestApi> {
  const database = given ?? (await testDatabase());
  const settings: Settings = { ...settingsFor(database.url), ...changes };
  const log = createLog({ logLevel: 'silent' }, 'api');
  const rates = openRateStore(database.db, settings, log);
  const opened = {
    db: database.db,
    dashboardDb: database.db,
    listDb: database.db,
    settings,
    secrets: createSecrets(settings.masterKeys),
    waker: recordingWaker(),
    http: openProviderHttp({ allowPrivate: true, allow: [], userAgent: 'test' }, []),
    adapters,
    objects,
    log,
    rates,
    mailer,
  };
  const parts = await createParts(opened);
  return {
    app: createApp(parts),
    parts,
    database,
    another: async () => createApp(await createParts(opened)),
    async [Symbol.asyncDispose]() {
      rates.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

function settingsFor(databaseUrl: string): Settings {
  return loadSettings({
    NOTIFY_MODE: 'development',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRETS: `k1:${randomBytes(32).toString('base64')}`,
    BCRYPT_COST: '4',
  });
}

function recordingWaker(): RecordingWaker {
  const woken: { kind: string; id: string }[] = [];
  return {
    woken,
    wake: async (kind, _lane, id) => void woken.push({ kind, id }),
    wakeMany: async (kind, wakes) => void woken.push(...wakes.map(({ id }) => ({ kind, id }))),
    freeLost: async () => [],
    ping: async () => undefined,
    close: async () => undefined,
  };
}

/** A registered tenant as its client sees it. */
export interface Registered {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  /** The refresh cookie's value, `rt_…`. */
  readonly refreshToken: string;
  /** The cookie that makes its browser a known one, as the browser sends it. */
  readonly deviceCookie: string;
  /** `Authorization` header. */
  readonly bearer: string;
}

export const password = 'correct horse battery';

/** Registers a tenant of a new email address through the api. */
export async function register(app: RequestListener): Promise<Registered> {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const answer = await request(app).post('/auth/register').send({ name: 'Test', email, password });
  if (answer.status !== 200) throw new Error(`register: ${answer.status} ${answer.text}`);
  const { accessToken, user } = answer.body.data;
  return {
    id: user.id,
    email,
    password,
    accessToken,
    refreshToken: refreshCookie(answer)!,
    deviceCookie: /svc_device=[^;]*/.exec(String(answer.headers['set-cookie']))?.[0] ?? '',
    bearer: `Bearer ${accessToken}`,
  };
}

/** The value that an answer gives the refresh cookie; null where it gives none. */
export function refreshCookie(answer: request.Response): string | null {
  const header: unknown = answer.headers['set-cookie'];
  const cookies = Array.isArray(header) ? header.map(String) : [];
  return (
    cookies.map((cookie) => /^svc_refresh=([^;]*)/.exec(cookie)?.[1]).find((value) => value !== undefined) ??
    null
  );
}

/** Makes an API key through the api. */
export async function makeKey(
  app: RequestListener,
  tenant: Registered,
  options: object = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const answer = await request(app)
    .post('/tenant/api-keys')
    .set('Authorization', tenant.bearer)
    .send({ name: 'test', ...options });
  if (answer.status !== 201) throw new Error(`key: ${answer.status} ${answer.text}`);
  return { id: answer.body.id, key: answer.body.key };
}
