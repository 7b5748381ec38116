import { randomUUIDv7 } from 'node:crypto';
import type { ChatState, Told } from '@notify/core';
import { relayTell } from '@notify/dispatch';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { hurried, openWorld, until, type World } from './world.ts';

/** What linked devices tell people beside messages, through a real process and WhatsApp's peer. */

let world: World;
let sessions: RunningProcess;
let account: TestTenant;
const phone = '15550900001';

beforeAll(async () => {
  world = await openWorld({}, { sweeps: false });
  sessions = await world.start();
  account = await world.linked(phone, { ...hurried, inbound: 'all' });
});

afterAll(() => world[Symbol.asyncDispose]());

const tell = (
  state: ChatState,
  to: string,
  externalIds: readonly string[] = [],
  by = account,
): Promise<Told> =>
  relayTell(
    world.db,
    { accountId: by.accountId, state, to, externalIds },
    { signal: new AbortController().signal },
  );

/** A person writes, and the message is stored. Returns WhatsApp's id of it. */
async function receive(from: string, by: 'number' | 'lid' = 'number'): Promise<string> {
  const id = await world.peer.write({ account: phone, from, text: 'Hello', by });
  const find = () =>
    world.db.selectFrom('messages').select('id').where('external_id', '=', id).executeTakeFirst();
  await until(async () => (await find()) !== undefined);
  return id;
}

const isRead = (ids: readonly string[]) =>
  world.peer.when(({ written }) =>
    ids.every((id) => written.some((one) => one.id === id && one.answers.includes('read'))),
  );

async function left(): Promise<number> {
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from tell_requests`.execute(
    world.db,
  );
  return rows[0]!.left;
}

test('a person learns which messages were read, and only those', async () => {
  const from = '15550900002';
  const [first, second, third] = [await receive(from), await receive(from), await receive(from)];
  expect(await tell('read', `+${from}`, [second, first])).toEqual({ delivered: true });
  const { written } = await isRead([first, second]);
  expect(written.find(({ id }) => id === third)!.answers).not.toContain('read');
  expect(await left()).toBe(0);
});

test('a person who is known by LID, and one whose number is unknown, learn it, too', async () => {
  for (const from of ['15550900003', '15550900004']) {
    const id = await receive(from, 'lid');
    const to = from.endsWith('3') ? `+${from}` : `9${from}@lid`;
    expect(await tell('read', to, [id])).toEqual({ delivered: true });
    await isRead([id]);
  }
});

test('typing is shown to the person', async () => {
  const from = '15550900005';
  await receive(from);
  expect(await tell('typing', `+${from}`)).toEqual({ delivered: true });
  const { rejected } = await world.peer.when(({ typed }) => typed.some(({ to }) => to.includes(from)));
  expect(rejected).toEqual([]);
});

test('a group sees typing, but no read receipts', async () => {
  const chat = '120363000000000009@g.us';
  expect(await tell('read', chat, ['ABC'])).toEqual({ delivered: false, reason: 'not-supported' });
  expect(await tell('typing', chat)).toEqual({ delivered: true });
  await world.peer.when(({ typed }) => typed.some(({ to }) => to === chat));
});

test('nobody learns anything if the owner of the phone has turned read receipts off', async () => {
  const other = '15550900006';
  await world.peer.behave({ account: other, readReceipts: false });
  const by = await world.linked(other, hurried);
  expect(await tell('read', '+15550900002', ['ABC'], by)).toEqual({
    delivered: false,
    reason: 'not-supported',
  });
});

test('a device that is not connected tells nobody', async () => {
  const unlinked = await world.account();
  expect(await tell('typing', '+15550900002', [], unlinked)).toEqual({
    delivered: false,
    reason: 'not-connected',
  });
});

test('without a process that holds the account, the request is dropped, and nothing is left', async () => {
  const signal = new AbortController().signal;
  const nobody = { accountId: randomUUIDv7(), state: 'typing', to: '+15550900002', externalIds: [] } as const;
  await sessions.stop();
  await sql`update partition_owners set seen_until = now() + interval '1 hour'`.execute(world.db);
  expect(await relayTell(world.db, nobody, { signal, withinMs: 200 })).toEqual({
    delivered: false,
    reason: 'timeout',
  });
  await sql`delete from partition_owners`.execute(world.db);
  expect(await relayTell(world.db, nobody, { signal })).toEqual({ delivered: false, reason: 'unavailable' });
  expect(await left()).toBe(0);
});
