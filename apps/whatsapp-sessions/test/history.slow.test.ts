import { randomBytes } from 'node:crypto';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import { openWorld, until, type World } from './world.ts';

let world: World;
let sessions: RunningProcess;

beforeAll(async () => {
  world = await openWorld();
  sessions = await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

const nowSeconds = () => Math.floor(Date.now() / 1_000);

interface Contact {
  readonly phone: string;
  readonly token: string;
  readonly tokenAt: number;
}

/** A contact that refuses messages without their privacy token. */
async function contact(): Promise<Contact> {
  const one = { phone: world.newNumber(), token: randomBytes(24).toString('base64'), tokenAt: nowSeconds() };
  await world.peer.setNumber(one.phone, { token: one.token });
  return one;
}

/** The number of keys of one type that an account has. */
async function keysOf({ accountId }: TestTenant, type: string): Promise<number> {
  const keys = await world.db
    .selectFrom('whatsapp_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .execute();
  return keys.length;
}

/** Resolves when histories of the account have been read. */
async function read(account: TestTenant, tokens: number): Promise<void> {
  await until(
    async () => (await keysOf(account, 'history')) === 0 && (await keysOf(account, 'tctoken')) > tokens,
  );
}

const ways = [
  { by: 'lid', namesOther: true, inline: true },
  { by: 'lid', namesOther: false, inline: false },
  { by: 'number', namesOther: true, inline: false },
  { by: 'number', namesOther: false, inline: false },
] as const;

test.each(ways)(
  'a contact from before the link gets messages with their token: chat by $by, other named $namesOther, inline $inline',
  async ({ by, namesOther, inline }) => {
    const phone = world.newPhone();
    const account = await world.linked(phone);
    const known = await contact();
    const stranger = await contact();
    const chats = [{ ...known, by, namesOther, messages: 50 }];
    await world.peer.tellHistory({ account: phone, chats, inline });
    await read(account, 0);
    const { id } = await world.sendOne(account, known.phone);
    await world.untilStatus(id, 'delivered');
    const refused = await world.sendOne(account, stranger.phone);
    await world.untilStatus(refused.id, 'failed');
    expect(await world.message(refused.id)).toMatchObject({ error_code: 'account-restricted' });
  },
);

test('a history leaves only tokens and LIDs, which save look-ups; no message is kept', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const before = await typesOf(account);
  const chats = await Promise.all(Array.from({ length: 20 }, contact));
  const lidsOf = Array.from({ length: 30 }, () => world.newNumber());
  const told = chats.map((chat) => ({ ...chat, by: 'lid', namesOther: true, messages: 200 }) as const);
  await world.peer.tellHistory({ account: phone, chats: told, lidsOf });
  await read(account, 0);
  const after = await typesOf(account);
  // One token per contact and Baileys' index of them; one LID per contact, in both directions.
  expect(after).toMatchObject({ tctoken: 21, 'lid-mapping': (before['lid-mapping'] ?? 0) + 100 });
  // The phone's own message used one of our prekeys for its session.
  const session = ['pre-key', 'identity-key', 'session'];
  const kept = Object.keys(after).filter((type) => !session.includes(type));
  expect(kept.toSorted()).toEqual(['device-list', 'lid-mapping', 'tctoken']);
});

async function typesOf({ accountId }: TestTenant): Promise<Record<string, number>> {
  const rows = await world.db
    .selectFrom('whatsapp_keys')
    .select(['type', (eb) => eb.fn.countAll<string>().as('count')])
    .where('account_id', '=', accountId)
    .groupBy('type')
    .execute();
  return Object.fromEntries(rows.map(({ type, count }) => [type, Number(count)]));
}

test('an older or expired token does not replace a newer one', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const [known, gone] = [await contact(), await contact()];
  const chat = { by: 'lid', namesOther: true } as const;
  await world.peer.tellHistory({
    account: phone,
    chats: [
      { ...known, ...chat },
      { ...gone, ...chat, tokenAt: nowSeconds() - 60 * 86_400 },
    ],
  });
  await read(account, 0);
  const old = { ...known, ...chat, token: randomBytes(24).toString('base64'), tokenAt: known.tokenAt - 60 };
  const other = { ...(await contact()), ...chat };
  await world.peer.tellHistory({ account: phone, chats: [old, other] });
  await read(account, 2);
  const { id } = await world.sendOne(account, known.phone);
  await world.untilStatus(id, 'delivered');
  expect(await keysOf(account, 'tctoken')).toBe(3);
});

test('a history that could not be downloaded is read later, also by the next process', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const known = await contact();
  await world.peer.refuseDownloads(1_000);
  await world.peer.tellHistory({ account: phone, chats: [{ ...known, by: 'lid', namesOther: true }] });
  await until(async () => (await keysOf(account, 'history')) === 1);
  await sessions.stop();
  await world.peer.refuseDownloads(0);
  sessions = await world.start();
  await read(account, 0);
  const { id } = await world.sendOne(account, known.phone);
  await world.untilStatus(id, 'delivered');
  expect(await keysOf(account, 'tctoken')).toBe(2);
});

test('a history that was altered, or comes from another phone, is refused', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const [changed, claimed, known] = [await contact(), await contact(), await contact()];
  const chat = { by: 'lid', namesOther: true } as const;
  await world.peer.tellHistory({ account: phone, chats: [{ ...claimed, ...chat }], from: world.newNumber() });
  await world.peer.tellHistory({ account: phone, chats: [{ ...known, ...chat }], inline: true });
  await read(account, 0);
  await world.peer.tellHistory({ account: phone, chats: [{ ...changed, ...chat }], changed: true });
  await until(async () => (await keysOf(account, 'history')) === 1);
  const logged = () => sessions.lines.filter((line) => line.includes('history not read')).length;
  await until(async () => logged() > 0);
  expect(await keysOf(account, 'tctoken')).toBe(2);
  expect(sessions.lines.filter((line) => line.includes(known.token))).toEqual([]);
});

test('messages from contacts are acknowledged and not kept, but their privacy tokens are', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const known = await contact();
  await world.peer.write({ account: phone, from: known.phone, text: 'a secret of theirs' });
  await world.peer.notify({
    account: phone,
    kind: 'privacy-token',
    of: known.phone,
    token: known.token,
    at: known.tokenAt,
  });
  await until(async () => (await keysOf(account, 'tctoken')) > 0);
  const { id } = await world.sendOne(account, known.phone);
  await world.untilStatus(id, 'delivered');
  expect(sessions.lines.filter((line) => line.includes('a secret of theirs'))).toEqual([]);
});
