import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type Adapter, adapters, type CallbackResult, type Receipt } from '@notify/channels';
import { createSandboxAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { HttpClient } from '@notify/egress';
import type { Waker } from '@notify/queue';
import { createLog, createSecrets, loadSettings, type Settings } from '@notify/runtime';
import { testDatabase } from '@notify/testkit';
import request, { type Test } from 'supertest';
import Type from 'typebox';
import { createApp } from '../src/app.ts';
import { signAccessToken } from '../src/auth/access-token.ts';
import { createParts, type Parts } from '../src/parts.ts';
import { openRateStore } from '../src/http/rate-store.ts';
import { hashKey, makeKey } from '../src/keys/key-text.ts';
import { templated } from './templated-provider.ts';

/** The api over its own database, with a queue that only remembers who was woken. */
export interface MessagingApp extends AsyncDisposable {
  readonly app: RequestListener;
  readonly parts: Parts;
  readonly db: Db;
  /** Who was woken, as `kind lane id`. */
  readonly wakes: string[];
  /** Receipts taken from callbacks, with their account. */
  readonly received: { readonly accountId: string; readonly receipts: readonly Receipt[] }[];
  tenant(options?: { readonly sandbox?: boolean }): Promise<Caller>;
  /** Another process on the same database, as far as memory goes. */
  another(): Promise<RequestListener>;
}

/** A tenant with a session and a key, and requests in its name. */
export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  readonly key: string;
  /** The `Authorization` header of the session. */
  readonly authorization: string;
  /** A send or look-up by key. */
  notify(method: 'get' | 'post', path: string, body?: unknown): Test;
  /** A request with the session's token. */
  manage(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: unknown): Test;
  /** The same caller at another process. */
  through(app: RequestListener): Caller;
}

type CallbackReceipts = Extract<CallbackResult, { kind: 'receipts' }>;

/**
 * A gateway whose token `good` works; it reports JSON receipts, or a whole result of a callback, of the account with the named
 * `sender`, which may not be `bad`. It gives no answer to the
 * token `away`, and none ever to the token `hangs`.
 */
const gateway: Adapter<{ token: string; sender?: string }> = {
  id: 'test-sms',
  channel: 'sms',
  name: 'Test gateway',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: true,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: true,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object(
    {
      token: Type.String({ minLength: 1, secret: true }),
      sender: Type.Optional(Type.String({ maxLength: 11 })),
    },
    { additionalProperties: false },
  ),
  check: ({ sender }) => (sender === 'bad' ? [{ at: '/sender', message: 'is not registered' }] : []),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  async verify({ settings }) {
    switch (settings.token) {
      case 'good':
        return { ok: true, detail: 'Welcome.' };
      case 'away':
        return { ok: false, refused: false, detail: 'No response (refused).' };
      case 'hangs':
        return new Promise(() => undefined);
      default:
        return { ok: false, refused: true, detail: 'Unknown token.' };
    }
  },
  parseCallback({ secretMatches, method, body, query }) {
    if (!secretMatches) return { kind: 'forged' };
    if (method === 'GET') return { kind: 'receipts', receipts: [], answer: query.get('challenge') ?? '' };
    if (body.toString() === 'garbage') return { kind: 'malformed', problem: 'not a report' };
    const told = JSON.parse(body.toString('utf8')) as Receipt[] | Partial<CallbackReceipts>;
    return { kind: 'receipts', receipts: [], ...(Array.isArray(told) ? { receipts: told } : told) };
  },
  isOf: ({ account }, settings, addressed) =>
    account === undefined ? settings === addressed : settings.sender === account,
};

/**
 * Opens the app, with these adapters besides its own; `await using` closes it and drops its database. Another waker wakes instead of
 * writing down who was woken.
 */
export async function messagingApp(
  changes: Partial<Settings> = {},
  more: readonly Adapter[] = [],
  waker: Waker | null = null,
): Promise<MessagingApp> {
  const database = await testDatabase();
  const settings = { ...testSettings(), ...changes };
  const log = createLog({ ...settings, logLevel: 'silent' }, 'api');
  const wakes: string[] = [];
  const received: MessagingApp['received'] = [];
  const rates = openRateStore(database.db, { redisUrl: null }, log);
  const opened = {
    db: database.db,
    dashboardDb: database.db,
    listDb: database.db,
    settings,
    secrets: createSecrets(settings.masterKeys),
    waker: waker ?? recordingWaker(wakes),
    http: { of: () => noHttp, close: () => noHttp.close() },
    adapters: new Map([
      ...adapters,
      ...[gateway as Adapter, templated, ...more].map((one) => [one.id, one] as const),
    ]),
    objects: null,
    log,
    rates,
    mailer: null,
  };
  const made = await createParts(opened);
  const parts: Parts = {
    ...made,
    async receive(account, receipts) {
      await made.receive(account, receipts);
      received.push({ accountId: account.id, receipts });
    },
  };
  const app = createApp(parts);
  return {
    app,
    parts,
    db: database.db,
    wakes,
    received,
    tenant: (options) => makeCaller(app, parts, options?.sandbox ?? true),
    another: async () => createApp(await createParts(opened)),
    async [Symbol.asyncDispose]() {
      rates.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

function testSettings(): Settings {
  return loadSettings({
    NOTIFY_MODE: 'development',
    DATABASE_URL: 'postgres://unused',
    PUBLIC_URL: 'https://notify.example.com/',
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRETS: `a:${randomBytes(32).toString('base64')}`,
  });
}

function recordingWaker(wakes: string[]): Waker {
  return {
    async wake(kind, lane, id) {
      wakes.push(`${kind} ${lane} ${id}`);
    },
    async wakeMany(kind, many) {
      wakes.push(...many.map(({ lane, id }) => `${kind} ${lane} ${id}`));
    },
    freeLost: () => Promise.resolve([]),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const refused = {
  ok: false,
  error: 'refused',
  written: false,
  text: 'nothing here calls out',
  durationMs: 0,
} as const;
const noHttp: HttpClient = {
  request: () => Promise.resolve(refused),
  stream: () => Promise.resolve(refused),
  close: () => Promise.resolve(),
};

async function makeCaller(app: RequestListener, parts: Parts, sandbox: boolean): Promise<Caller> {
  const { db, settings, secrets } = parts;
  const { id: tenantId } = await db
    .insertInto('tenants')
    .values({
      name: 'Test',
      email: `${randomBytes(8).toString('hex')}@example.com`,
      password_hash: 'x',
      trial_ends_at: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: sessionId } = await db
    .insertInto('sessions')
    .values({ tenant_id: tenantId, expires_at: new Date(Date.now() + 86_400_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const key = makeKey();
  const { id: keyId } = await db
    .insertInto('api_keys')
    .values({ tenant_id: tenantId, name: 'test', hash: hashKey(key), hint: key.slice(-4) })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (sandbox) await db.transaction().execute((trx) => createSandboxAccounts(trx, secrets, tenantId));
  const token = signAccessToken({ tenantId, sessionId }, settings.jwtSecrets);
  const send = (test: Test, body: unknown) => (body === undefined ? test : test.send(body as object));
  const at = (process: RequestListener): Caller => ({
    tenantId,
    keyId,
    key,
    authorization: `Bearer ${token}`,
    notify: (method, path, body) =>
      send(request(process)[method](`/v1/notify${path}`).set('X-Api-Key', key), body),
    manage: (method, path, body) =>
      send(request(process)[method](path).set('Authorization', `Bearer ${token}`), body),
    through: at,
  });
  return at(app);
}
