import { randomUUID } from 'node:crypto';
import { renewEventEpoch } from '@notify/db/backups';
import { sql } from 'kysely';
import type { Response } from 'supertest';
import { Webhook } from 'standardwebhooks';
import { readCursor, writeCursor } from '../src/events/cursor.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let api: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  api = await messagingApp();
});
beforeEach(async () => {
  caller = await api.tenant();
});
afterAll(() => api[Symbol.asyncDispose]());

const list = (query = '', by = caller) => by.manage('get', `/v1/events${query}`);
const after = (cursor: string, by = caller) => list(`?cursor=${cursor}`, by);
const send = (by = caller) => by.notify('post', '/sms/text', { to: '+4917012345678', text: 'Hello' });
const bodies = ({ body }: Response) => body.data.map((one: { body: string }) => JSON.parse(one.body));

async function secretOf(by = caller): Promise<string> {
  return (await by.manage('get', '/v1/events/secret')).body.secret;
}

/** Follows `nextCursor` until there is no more. */
async function everything(limit: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for (
    let page = await list(`?limit=${limit}`);
    ;
    page = await after(`${page.body.nextCursor}&limit=${limit}`)
  ) {
    found.push(...bodies(page));
    if (!page.body.hasMore) return found;
  }
}

test('lists each event once, signed, as a webhook would get it', async () => {
  const { body: message } = await send();
  const page = await list();
  expect([page.status, page.body.hasMore]).toEqual([200, false]);
  const [{ headers, body }] = page.body.data;
  const secret = await secretOf();
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    event: 'message.queued',
    messageId: message.id,
    sequence: 1,
  });
  const stored = await api.db
    .selectFrom('events')
    .select('body')
    .where('tenant_id', '=', caller.tenantId)
    .execute();
  expect(page.body.data.map((one: { body: string }) => one.body)).toEqual(stored.map((one) => one.body));
});

test('pages of any size have the same events, and a cursor continues later', async () => {
  for (let count = 0; count < 5; count += 1) await send();
  const all = await everything(100);
  expect(all).toHaveLength(5);
  for (const limit of [1, 2, 5]) expect(await everything(limit)).toEqual(all);
  const { body: end } = await list();
  expect(bodies(await after(end.nextCursor))).toEqual([]);
  await send();
  const { body: later } = await after(end.nextCursor);
  expect(later.data).toHaveLength(1);
  expect((await after(later.nextCursor)).body).toMatchObject({ data: [], hasMore: false });
});

test('a tenant sees its own events alone, whatever the cursor, and has its own secret', async () => {
  const other = await api.tenant();
  await send(other);
  const { nextCursor } = (await list('', other)).body;
  await send();
  expect(bodies(await after(nextCursor))).toMatchObject([{ tenantId: `ten_${caller.tenantId}` }]);
  expect(await secretOf()).not.toBe(await secretOf(other));
  expect(await secretOf()).toBe(await secretOf());
});

test('two first uses at once get the same secret', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => secretOf()));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

describe('a cursor that is made up', () => {
  const id = randomUUID();
  const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const snapshot = [100, 1_700_000_000_000, []];
  test.each([
    ['', ''],
    ['any text', 'next'],
    ['an event’s id', `evt_${id}`],
    ['null', packed(null)],
    ['another version', packed([2, 'a', null, snapshot, id])],
    ['no place', packed([1, 'a', null, null, null])],
    ['no history', packed([1, 7, null, snapshot, id])],
    ['no id', packed([1, 'a', null, snapshot, 'x'])],
    ['an id without a pass', packed([1, 'a', snapshot, null, id])],
    ['half a pair', packed([1, 'a', [100, 1, [1]], null, null])],
    ['a running transaction above the newest', packed([1, 'a', [100, 1, [0, 0]], null, null])],
    ['a transaction twice', packed([1, 'a', [100, 1, [1, 0, 1, 0]], null, null])],
    ['a number that is no integer', packed([1, 'a', [100.5, 1, []], null, null])],
    ['a number that is too large', packed([1, 'a', [1e16, 1, []], null, null])],
    ['a negative time', packed([1, 'a', [100, -1, []], null, null])],
    ['padding', `${packed([1, 'a', snapshot, null, null])}==`],
    ['spaces in its JSON', Buffer.from('[1, "a", [100,1,[]], null, null]').toString('base64url')],
    ['too much of it', packed([1, 'a', [1e6, 1, Array(402).fill(1)], null, null])],
    ['a text that is too long', 'x'.repeat(12_001)],
  ])('is refused: %s', async (_what, text) => {
    const answer = await after(encodeURIComponent(text));
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      422,
      'invalid-request',
      [{ at: 'query/cursor', message: expect.any(String) }],
    ]);
  });
});

describe('a cursor expires', () => {
  const expired = { status: 410, body: { code: 'cursor-expired' } };
  /** The same cursor with some of its place changed. */
  const changed = (text: string, change: (place: { from: object; to?: object }) => object): string => {
    const { history, place } = readCursor(text)!;
    return writeCursor({ history, place: change(place as never) as never });
  };
  const dayMs = 86_400_000;

  test('after 7 days', async () => {
    const { nextCursor } = (await list()).body;
    const aged = (days: number) =>
      changed(nextCursor, ({ from }) => ({ from: { ...from, since: Date.now() - days * dayMs } }));
    expect(await after(aged(7.01))).toMatchObject(expired);
    expect(await after(aged(6.99))).toMatchObject({ status: 200 });
  });

  test('when its number lies in the future, as after a restore', async () => {
    const { nextCursor } = (await list()).body;
    const future = changed(nextCursor, ({ from }) => ({ from: { ...from, xmax: 1e12 } }));
    expect(await after(future)).toMatchObject(expired);
  });

  test('when the operator says that the database was restored', async () => {
    const { nextCursor } = (await list()).body;
    expect((await after(nextCursor)).status).toBe(200);
    await renewEventEpoch(api.db);
    expect(await after(nextCursor)).toMatchObject(expired);
    expect((await after((await list()).body.nextCursor)).status).toBe(200);
  });
});

test('events older than 7 days are not listed', async () => {
  const tell = (age: string) =>
    sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    values (uuidv7(-${age}::interval), ${caller.tenantId}, 'message.sent', ${JSON.stringify({ age })}, now())`.execute(
      api.db,
    );
  await tell('7 days 1 minute');
  await tell('6 days 23 hours');
  expect(bodies(await list())).toEqual([{ age: '6 days 23 hours' }]);
});

test('a limit is checked, and an unknown field is named', async () => {
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?since=now'])
    expect((await list(query)).status).toBe(422);
});
