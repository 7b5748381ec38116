import { storeReceived } from '@notify/db/inbound';
import { inboundAccountOf, inboundText } from '@notify/testkit';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** Lists of messages that have the most bytes: 128 KB of JSON each. */

const people = 70;
/** What 4 MB hold, and one more. */
const perPage = 33;
let api: MessagingApp;
let own: Caller;
beforeAll(async () => {
  api = await messagingApp();
  own = await api.tenant();
  const { id } = await api.db
    .selectFrom('channel_accounts')
    .select('id')
    .where('tenant_id', '=', own.tenantId)
    .where('channel', '=', 'sms')
    .executeTakeFirstOrThrow();
  const account = inboundAccountOf({ tenantId: own.tenantId, accountId: id } as never);
  const inbound = Array.from({ length: people }, (_, index) =>
    inboundText(account, {
      from: `+1555000${1_000 + index}`,
      body: { text: '\u0001'.repeat(30_000) },
    }),
  );
  await storeReceived(api.db, { inbound, moved: [], consents: [] });
});
afterAll(() => api[Symbol.asyncDispose]());

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
  readonly hasMore?: boolean;
}

async function pages(path: string): Promise<Page['data'][]> {
  const all: Page['data'][] = [];
  for (let query = '?limit=100'; ;) {
    const { body } = await own.manage('get', `${path}${query}`).expect(200);
    const page = body as Page;
    all.push(page.data);
    if (page.nextCursor === null || page.hasMore === false) return all;
    query = `?limit=100&cursor=${page.nextCursor}`;
  }
}

test.each(['/v1/conversations', '/v1/events'])('%s ends its pages early, and misses none', async (path) => {
  const read = await pages(path);
  for (const page of read) expect(page.length).toBeLessThanOrEqual(perPage);
  const all = read.flat().map((one) => one.to ?? (JSON.parse(one.body as string) as { from: string }).from);
  expect(all).toHaveLength(people);
  expect(new Set(all).size).toBe(people);
});
