import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { checkAxe } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { passSeconds } from './page/idle.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

const count = 20_000;

describeInBrowser('long lists', () => {
  let world: World;
  let tenant: Tenant;
  let webhookId: string;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    const url = `${world.receiver.url}/hook`;
    ({ id: webhookId } = await tenant.ask<{ id: string }>('POST', '/v1/webhooks', { url }));
    await fillWithMessages();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('the 25th page draws no more than the first, and earlier pages are not read again', async () => {
    const page = await world.newPage({ tenant });
    await page.goto('/messages');
    const table = page.getByRole('table', { name: 'Messages' });
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    await page.getByText('50 messages so far', { exact: true }).waitFor();
    const pages = pagesRead(page);
    await countChanges(page);
    const drawn: number[] = [];
    for (let shown = 2; shown <= 25; shown += 1) {
      const before = await changesOf(page);
      await showMore(page);
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
      await table.getByText(`number ${count - shown * 50 + 1}`, { exact: true }).waitFor();
      drawn.push((await changesOf(page)) - before);
    }
    // Every page once: each has its own cursor.
    expect(pages).toHaveLength(24);
    expect(new Set(pages).size).toBe(24);
    const [first, last] = [medianOf(drawn.slice(0, 5)), medianOf(drawn.slice(-5))];
    expect(first).toBeGreaterThan(0);
    expect(last / first).toBeLessThan(1.5);
    // Only the rows near the window are in the page; all of them can be reached.
    expect(await table.getByRole('row').count()).toBeLessThan(100);
    await checkAxe(page);
    await page.close();
  });

  test.each([
    // The stream of events tells what is new, so the list is hardly read again.
    ['messages', (): string => '/messages', 1, 6],
    ['a webhook', (): string => `/webhooks/${webhookId}`, 3, 25],
    ['the overview', (): string => '/overview', 3, 30],
  ] as const)(
    'an idle page of %s makes few requests in a minute, however much it shows',
    async (_what, path, least, most) => {
      const page = await world.newPage({ tenant });
      await page.clock.install();
      await page.goto(path());
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('main').locator('[aria-busy]').first().waitFor({ state: 'detached' });
      if (path() === '/messages') {
        for (let shown = 2; shown <= 4; shown += 1) await showMore(page);
      }
      let requests = 0;
      page.on('request', (request) => {
        if (/^\/(v1|tenant|auth)\//.test(new URL(request.url()).pathname)) requests += 1;
      });
      await passSeconds(page, 60);
      expect(requests).toBeGreaterThanOrEqual(least);
      expect(requests).toBeLessThan(most);
      await page.close();
    },
  );

  /** Messages that were all delivered long ago, written into the database, because sending them takes minutes. */
  async function fillWithMessages(): Promise<void> {
    await sql`
      insert into messages (id, tenant_id, channel, recipient, type, body, bulk, status, created_at, updated_at, expires_at)
      select uuidv7(since), ${tenant.id.replace('ten_', '')}::uuid, 'sms', '+14155550123', 'text',
        jsonb_build_object('text', 'number ' || n), false, 'delivered', now() + since, now(), now()
      from (select n, interval '-1 hour' + n * interval '10 ms' as since from generate_series(1, ${count}::int) n) made`.execute(
      world.db,
    );
  }
});

/** The cursors of the pages that are read from now on. */
function pagesRead(page: Page): string[] {
  const cursors: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    const cursor = url.searchParams.get('cursor');
    if (url.pathname === '/v1/messages' && cursor !== null) cursors.push(cursor);
  });
  return cursors;
}

/** Counts from now on what the page changes of what it shows: elements that come, go or get another attribute or text. */
async function countChanges(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.changes = 0;
    const count = (records) => {
      for (const { addedNodes, removedNodes } of records)
        window.changes += Math.max(1, addedNodes.length + removedNodes.length);
    };
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(count).observe(document.body, all);
  })()`);
}

function changesOf(page: Page): Promise<number> {
  return page.evaluate<number>('window.changes');
}

/** Reads the next page, and resolves when it is drawn. */
async function showMore(page: Page): Promise<void> {
  const table = page.getByRole('table', { name: 'Messages' });
  const before = await heightOf(table);
  await page.getByRole('button', { name: 'Show more' }).click();
  while ((await heightOf(table)) === before) await page.evaluate('new Promise(requestAnimationFrame)');
}

async function heightOf(table: Locator): Promise<number> {
  return (await table.boundingBox())?.height ?? 0;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
