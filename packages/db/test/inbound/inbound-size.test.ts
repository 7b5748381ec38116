import { createLooker } from '@notify/db/events';
import { listConversations, readThread } from '@notify/db/conversations';
import { searchMessages } from '@notify/db/messages';
import { inboundAccountOf, inboundText, makeTenant, testDatabase, type TestTenant } from '@notify/testkit';
import { readEvents } from '../../src/events/read.ts';
import { storable } from '../../src/inbound/storable.ts';
import { storeInbound } from '../store-inbound.ts';

const control = '\u0001';
const account = inboundAccountOf({ tenantId: 't', accountId: 'a' } as TestTenant);
/** The bytes of what is stored of a body, as JSON. */
function bytesOf(body: object, type: string = 'text'): number {
  return Buffer.byteLength(JSON.stringify(stored(body, type)));
}
function stored(body: object, type = 'text'): object {
  return storable(inboundText(account, { type, body } as never)).body;
}

test.each([64_000, 65_537, 1_000_000])(
  'a text of %d control characters has 128 KB of JSON at most',
  (length) => {
    expect(bytesOf({ text: control.repeat(length) })).toBeLessThanOrEqual(131_072 + 20);
    expect(bytesOf({ text: control.repeat(length) })).toBeGreaterThan(131_000);
  },
);

test('64 KB of text stay, also of line ends and quotes', () => {
  for (const character of ['x', '\n', '"', '€']) {
    const text = character.repeat(65_536 / Buffer.byteLength(character));
    expect(stored({ text })).toEqual({ text });
  }
});

test('a text is cut between two characters', () => {
  const { text } = stored({ text: `${control.repeat(21_845)}😀😀` }) as { text: string };
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThan(21_846);
});

test('cards keep 64 KB of JSON at most, whatever they have, and whole cards', () => {
  const card = { name: control.repeat(5_000), phones: Array(50).fill(control.repeat(1_024)) };
  const { contacts } = stored({ contacts: Array(50).fill(card) }, 'contact') as {
    contacts: (typeof card)[];
  };
  expect(bytesOf({ contacts: Array(50).fill(card) }, 'contact')).toBeLessThanOrEqual(65_536);
  expect(contacts).toHaveLength(20);
  for (const { name, phones } of contacts) expect([name.length, phones.length]).toEqual([200, 5]);
  const usual = { contacts: [{ name: 'Ada', phones: ['+15550001000', '+15550001001'] }] };
  expect(stored(usual, 'contact')).toEqual(usual);
});

test('what is deep and wide has 64 KB at most', () => {
  const wide = (depth: number): unknown =>
    depth === 0
      ? 'x'.repeat(9_999)
      : Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, wide(depth - 1)]));
  expect(bytesOf(wide(5) as object)).toBeLessThanOrEqual(65_536 + 100);
  expect(bytesOf(Array(100).fill(Array(100).fill(Array(100).fill(1))))).toBeLessThanOrEqual(65_536);
});

const mostBytes = 4_000_000;
const one = 131_072;

test('pages of large messages end early, and the next ones continue after them', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { tenantId } = tenant;
  const count = 70;
  const body = { text: control.repeat(30_000) };
  const looker = createLooker(db);
  const before = await looker.look();
  const many = Array.from({ length: count }, () => inboundText(inboundAccountOf(tenant), { body }));
  const { results } = await storeInbound(db, many);
  const ids = results.map((result) => ('messageId' in result ? result.messageId : '')).toReversed();
  const conversationId = (await listConversations(db, { tenantId, limit: 1 })).conversations[0]!.id;

  const thread = await pagesOf((at) =>
    readThread(db, { tenantId, accountIds: null, conversationId, before: at, limit: 100 }),
  );
  const filter = { direction: 'inbound' as const };
  const list = await pagesOf((at) =>
    searchMessages(db, { tenantId, filter, before: at, limit: 100, budgetMs: 5_000 }),
  );
  for (const pages of [thread, list]) {
    expect(pages.flat()).toEqual(ids);
    expect(pages).toHaveLength(3);
  }

  const { snapshot: to } = await looker.look();
  const events: number[][] = [];
  const seen: string[] = [];
  for (
    let pass: Parameters<typeof readEvents>[2] | null = { from: before.snapshot, to, after: ids.at(-1)! };
    pass !== null;
  ) {
    const page = await readEvents(db, tenantId, pass, { limit: 100, maxBytes: mostBytes });
    events.push(page.events.map((event) => Buffer.byteLength(event.body)));
    seen.push(...page.events.map((event) => (JSON.parse(event.body) as { messageId: string }).messageId));
    pass = page.next;
  }
  expect(seen).toHaveLength(count);
  expect(new Set(seen).size).toBe(count);
  for (const page of events)
    expect(page.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(mostBytes + 2 * one);
  const tiny = await readEvents(
    db,
    tenantId,
    { from: before.snapshot, to, after: ids.at(-1)! },
    { limit: 100, maxBytes: 1 },
  );
  expect(tiny.events).toHaveLength(1);
  expect(tiny.next?.after).toBe(tiny.events[0]!.id);
});

/** The ids on each page, read to the end. */
async function pagesOf(
  read: (
    before: string | undefined,
  ) => Promise<{ messages: readonly { id: string }[]; next: string | null } | null>,
): Promise<string[][]> {
  const pages: string[][] = [];
  for (let before: string | undefined; ;) {
    const page = await read(before);
    pages.push(page!.messages.map(({ id }) => id));
    if (page!.next === null) return pages;
    before = page!.next;
  }
}
