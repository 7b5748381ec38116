import { createHash } from 'node:crypto';
import type { Adapter, PairingUrl } from '@notify/channels';
import { sql } from 'kysely';
import Type from 'typebox';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** Pairing links, and the conversations that they make. */

type Answer = (payload: string, signal: AbortSignal) => Promise<PairingUrl>;
let answer: Answer;
const paired: Adapter = {
  id: 'test-chats',
  channel: 'telegram',
  name: 'Test chats',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: false,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: false,
    replyWindowMs: 3_600_000,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({}, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  verify: () => Promise.resolve({ ok: true, detail: 'Welcome.' }),
  pairingUrl: (payload, { signal }) => answer(payload, signal),
};

let service: MessagingApp;
let own: Caller;
let accountId: string;
beforeAll(async () => {
  service = await messagingApp({}, [paired]);
});
beforeEach(async () => {
  own = await service.tenant({ sandbox: false });
  const account = { provider: paired.id, name: 'Bot', settings: {} };
  accountId = (await own.manage('post', '/v1/channel-accounts', account).expect(201)).body.id;
  answer = async (payload) => ({ kind: 'url', url: `https://t.me/bot?start=${payload}` });
});
afterAll(() => service[Symbol.asyncDispose]());

const pair = (body: object, by = own) =>
  by.manage('post', `/v1/channel-accounts/${accountId}/pairings`, body);

/** The chat opens the link, or writes. */
async function receive(pairing?: string): Promise<unknown> {
  const [stored] = await service.parts.intake.store(
    {
      id: accountId,
      tenantId: own.tenantId,
      channel: 'telegram',
      provider: 'telegram-bot',
      keywords: { stop: [], start: [] },
    },
    {
      inbound: [
        {
          externalId: crypto.randomUUID(),
          from: '4711',
          to: null,
          sentAt: new Date('2026-01-02T03:04:05.678Z'),
          type: 'text',
          body: { text: '/start' },
          contact: { name: 'Ada' },
          replyTo: null,
          file: null,
          ...(pairing === undefined ? {} : { pairing }),
        },
      ],
      moved: [],
      consents: [],
    },
  );
  return stored;
}

test('a link has a secret payload, of which only the hash is stored, and expires', async () => {
  const { body } = await pair({ reference: 'customer 7' }).expect(201);
  const payload = new URL(body.url).searchParams.get('start')!;
  expect(payload).toMatch(/^[\w-]{32}$/);
  expect(body).toMatchObject({ url: `https://t.me/bot?start=${payload}`, reference: 'customer 7' });
  const inDays = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
  expect(inDays).toBeCloseTo(7, 2);
  const rows = await service.db
    .selectFrom('pairings')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  expect(rows).toMatchObject([
    {
      hash: createHash('sha256').update(payload).digest(),
      reference: 'customer 7',
      tenant_id: own.tenantId,
      contact: null,
      expires_at: new Date(body.expiresAt),
    },
  ]);
  const soon = (await pair({ reference: 'r', expiresInSeconds: 60 }).expect(201)).body;
  expect(Date.parse(soon.expiresAt) - Date.now()).toBeLessThan(61_000);
});

test('opening it makes a conversation without messages; writing opens the window', async () => {
  const { body } = await pair({ reference: 'r' }).expect(201);
  expect(await receive(new URL(body.url).searchParams.get('start')!)).toEqual({ kind: 'paired' });
  const conversation = async () => (await own.manage('get', '/v1/conversations').expect(200)).body.data[0];
  expect(await conversation()).toMatchObject({
    to: '4711',
    contact: { name: 'Ada' },
    unread: 0,
    lastMessage: null,
  });
  await receive();
  expect(await conversation()).toMatchObject({
    unread: 1,
    lastInboundAt: '2026-01-02T03:04:05.678Z',
    windowExpiresAt: '2026-01-02T04:04:05.678Z',
    lastMessage: { body: { text: '/start' } },
  });
});

test('an account has 1,000 open links at most; used and expired ones do not count', async () => {
  await sql`
    insert into pairings (hash, tenant_id, account_id, reference, contact, expires_at)
    select sha256(uuidv7()::text::bytea), ${own.tenantId}, ${accountId}, 'r',
      case when n > 1010 then '4711' end,
      now() + case when n <= 1000 then interval '1 hour' when n <= 1010 then interval '-1 hour' else '1 hour' end
    from generate_series(1, 1020) n`.execute(service.db);
  const refused = await pair({ reference: 'r' }).expect(409);
  expect(refused.body.code).toBe('limit-reached');
  await sql`update pairings set contact = '1' where hash = (
    select hash from pairings where account_id = ${accountId} and contact is null and expires_at > now() limit 1
  )`.execute(service.db);
  await pair({ reference: 'r' }).expect(201);
  await pair({ reference: 'r' }).expect(409);
});

test('a provider that refuses the settings, is away or hangs, and an account that cannot be opened', async () => {
  answer = async () => ({ kind: 'failed', refused: true, detail: 'Unauthorized' });
  const refused = await pair({ reference: 'r' });
  expect(refused).toMatchObject({ status: 422, body: { code: 'invalid-request', detail: 'Unauthorized' } });
  answer = async () => ({ kind: 'failed', refused: false, detail: 'No response.' });
  const away = await pair({ reference: 'r' });
  expect(away).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { detail: 'No response.' },
  });
  const asked = Promise.withResolvers<AbortSignal>();
  answer = (_, signal) => {
    asked.resolve(signal);
    return new Promise(() => undefined);
  };
  const late = await pair({ reference: 'r' });
  expect(late).toMatchObject({ status: 503, body: { detail: 'The provider did not respond in time.' } });
  expect((await asked.promise).aborted).toBe(true);
  await service.db
    .updateTable('channel_accounts')
    .set({ settings: 'x' })
    .where('id', '=', accountId)
    .execute();
  expect(await pair({ reference: 'r' })).toMatchObject({ status: 422, body: { code: 'invalid-request' } });
  const rows = await service.db
    .selectFrom('pairings')
    .select('hash')
    .where('account_id', '=', accountId)
    .execute();
  expect(rows).toEqual([]);
});

test('another tenant cannot make one', async () => {
  const stranger = await service.tenant();
  expect(await pair({ reference: 'r' }, stranger)).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  });
});
