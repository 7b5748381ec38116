import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { untilCount, untilSearch } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('messages', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let webhookId: string;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a message of a group shows all routes, what became of each, and why the next one began', async () => {
    const own = await world.registerTenant();
    const mine = await world.newPage({ tenant: own });
    const routes = ['+14155550001', '+14155550111', '+14155550112'];
    const { id } = await own.ask<{ id: string }>('POST', '/v1/groups', {
      routes: routes.map((to) => ({ channel: 'sms', to, text: 'Your table is ready.' })),
    });
    await mine.goto('/messages');
    const row = mine.getByRole('row').filter({ hasText: '+14155550111' });
    await row.getByText('route', { exact: true }).waitFor();
    await row.getByRole('link', { name: '+14155550111' }).click();
    const story = mine.getByRole('list', { name: 'Routes' });
    const shown = story.getByRole('listitem');
    await shown.nth(0).getByText('Failed: recipient-rejected. The next route began.').waitFor();
    await shown.nth(1).getByText('Delivered', { exact: true }).waitFor();
    await shown.nth(1).getByText('SMS to +14155550111 (this message)').waitFor();
    await shown.nth(2).getByText('Not needed').waitFor();
    await checkAxeInBothSchemes(mine);
    expect(await overflowOf(mine)).toBeLessThanOrEqual(0);
    await shown.nth(0).getByRole('link', { name: 'View message' }).click();
    await mine.getByRole('heading', { level: 1, name: 'To +14155550001' }).waitFor();
    expect(await mine.getByRole('button', { name: 'Reschedule' }).count()).toBe(0);
    expect(await own.ask<{ status: string }>('GET', `/v1/groups/${id}`)).toMatchObject({
      status: 'delivered',
    });
  });

  test('a test message is written, counted in segments, and followed to its delivery', async () => {
    const url = `${world.receiver.url}/hook`;
    const webhook = await tenant.ask<{ id: string }>('POST', '/v1/webhooks', { url });
    webhookId = webhook.id;
    await page.goto('/messages');
    await page.getByText('No messages yet').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Send test message' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('Enter a recipient.').waitFor();
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · SMS');
    await form.getByLabel('Recipient', { exact: true }).fill('0170');
    await form.getByRole('textbox', { name: 'Text' }).fill('Привет '.repeat(20));
    await form.getByText('140 of 4,096 characters · 3 SMS').waitFor();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form
      .getByText(/E\.164/)
      .last()
      .waitFor();
    await checkAxeInBothSchemes(page);
    await form.getByLabel('Recipient', { exact: true }).fill('+1 (415) 555-0100');
    await form.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('heading', { level: 1, name: 'To +14155550100' }).waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Queued', { exact: true }).waitFor();
    await timeline.getByText('Sent', { exact: true }).waitFor();
    await timeline.getByText('Delivered', { exact: true }).waitFor();
    await timeline.getByText(/^Attempt 1: accepted by the provider/).waitFor();
    await timeline.getByText('Webhook delivered: message.delivered').waitFor();
    expect(
      await timeline
        .getByRole('link', { name: `${world.receiver.url}/hook` })
        .first()
        .getAttribute('href'),
    ).toBe(`/webhooks/${webhookId}`);
    await checkAxeInBothSchemes(page);
  });

  test('one that fails says why, and is sent again as another message', async () => {
    const id = await send('+15005550001', 'to nobody');
    await page.goto(`/messages/${id}`);
    await page.getByText(/^Failed: /).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('This message is a resend of a failed one.').waitFor();
    await page.waitForURL(({ pathname }) => pathname !== `/messages/${id}`);
    await page.getByRole('link', { name: 'View message' }).click();
    await page.getByText('This message was resent.').waitFor();
    await page.waitForURL(`**/messages/${id}`);
  });

  test('one that waits says what for, until it goes on', async () => {
    await pauseAccounts(600);
    const id = await send('+14155550122', 'later');
    await page.goto(`/messages/${id}`);
    await page
      .getByText(/The account is paused \(Too Many Requests\)\. Next step in (9|10) minutes\./)
      .waitFor();
    await checkAxeInBothSchemes(page);
    await pauseAccounts(0);
    await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered', { exact: true }).waitFor();
    await untilCount(page.getByText('The account is paused ('), 0);
  });

  test('the list is live, filtered by its address, and finds a message by its id', async () => {
    await page.goto('/messages');
    const list = page.getByRole('table', { name: 'Messages' });
    await list.getByRole('row').nth(3).waitFor();
    const id = await send('+14155550111', 'came while the list was open');
    await list.getByText('came while the list was open').waitFor();
    await checkAxeInBothSchemes(page);

    await page.getByLabel('Status', { exact: true }).selectOption('Failed');
    await list.getByText('came while the list was open').waitFor({ state: 'detached' });
    await untilSearch(page, '?status=failed');
    await page.reload();
    await list.getByRole('row').nth(2).waitFor();
    await untilCount(list.getByRole('row'), 3);
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
    await page.getByLabel('Recipient or message ID', { exact: true }).fill('+1 (415) 555-0111');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No matching messages').waitFor();
    // The way back has every filter.
    await page.goBack();
    await list.getByRole('row').nth(2).waitFor();
    await untilSearch(page, '?status=failed&span=1h');
    await list.getByRole('link').first().click();
    await page.getByText(/^Failed: /).waitFor();
    await page.getByRole('link', { name: 'Back to messages' }).click();
    await list.getByRole('row').nth(2).waitFor();
    await untilSearch(page, '?status=failed&span=1h');
    await page.getByRole('button', { name: 'Clear' }).click();
    await untilSearch(page, '');
    await page.getByLabel('Recipient or message ID', { exact: true }).fill('+1 (415) 555-0111');
    await page.getByRole('button', { name: 'Search' }).click();
    await list.getByText('came while the list was open').waitFor();
    await untilCount(list.getByRole('row'), 2);
    await page.getByLabel('Recipient or message ID', { exact: true }).fill(id.replace('msg_', ''));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { level: 1, name: 'To +14155550111' }).waitFor();
  });

  test('a range that ends before it begins is told once, where it was typed', async () => {
    await page.goto('/messages');
    await page.getByLabel('Time', { exact: true }).selectOption('Custom range…');
    await page.getByLabel('From', { exact: true }).fill('2026-02-01T09:30');
    await page.getByLabel('Until', { exact: true }).fill('2026-01-31T09:30');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a time after “From”.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await untilSearch(page, '?from=2026-02-01T08%3A30%3A00.000Z');
    await checkAxeInBothSchemes(page);
    await page.getByLabel('Until', { exact: true }).fill('2026-02-01T10:00');
    await page.keyboard.press('Enter');
    await page.getByText('No matching messages').waitFor();
    await untilSearch(page, '?from=2026-02-01T08%3A30%3A00.000Z&until=2026-02-01T09%3A00%3A00.000Z');
    await page.getByRole('button', { name: 'Clear' }).click();
    await untilCount(page.getByLabel('From', { exact: true }), 0);
    await page.goto('/messages?from=2026-02-02T00:00:00Z&until=2026-02-01T00:00:00Z');
    await page.getByText('Choose a time after “From”.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a range is local in its inputs, UTC in the address and the request, and half of a time is told', async () => {
    await page.goto('/messages?from=2026-02-01T08:30:15Z');
    const from = page.getByLabel('From', { exact: true });
    const until = page.getByLabel('Until', { exact: true });
    expect(await from.inputValue()).toBe('2026-02-01T09:30');
    const asked = page.waitForRequest((request) => request.url().includes('until='));
    await until.fill('2026-07-01T00:00');
    await until.press('Enter');
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('from'), searchParams.get('until')]).toEqual([
      '2026-02-01T08:30:15.000Z',
      '2026-06-30T22:00:00.000Z',
    ]);
    await untilSearch(page, '?from=2026-02-01T08%3A30%3A15.000Z&until=2026-06-30T22%3A00%3A00.000Z');
    await page.reload();
    await page.getByText('No matching messages').waitFor();
    expect(await until.inputValue()).toBe('2026-07-01T00:00');
    // The first part of the input is its day.
    await until.focus();
    await page.keyboard.press('Delete');
    await from.focus();
    await page.getByText('Enter a date and a time.').waitFor();
    await untilSearch(page, '?from=2026-02-01T08%3A30%3A15.000Z&until=2026-06-30T22%3A00%3A00.000Z');
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
    await untilSearch(page, '?span=1h');
  });

  test('what comes while somebody reads further down is counted and does not move the rows', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `number ${index}`);
    for (const text of texts) await send('+14155550122', text);
    await page.goto('/messages');
    const list = page.getByRole('table', { name: 'Messages' });
    await page.getByRole('button', { name: 'Show more' }).click();
    const read = list.getByText('number 5', { exact: true });
    await scrollTo(read);
    const before = await read.boundingBox();
    await send('+14155550133', 'newer');
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect(await read.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: '1 new message' }).click();
    await list.getByRole('row').nth(1).getByText('newer').waitFor();
  });

  test('one that waits is canceled and never sent', async () => {
    await pauseAccounts(600);
    const id = await send('+14155550144', 'not to be sent');
    await page.goto(`/messages/${id}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await checkAxeInBothSchemes(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click();
    await page.getByText('Failed: canceled').waitFor();
    expect(
      await page
        .getByRole('list', { name: 'Timeline' })
        .getByText(/^Attempt/)
        .count(),
    ).toBe(0);
  });

  test('on a small screen nothing is cut off, and another tenant finds nothing', async () => {
    const id = await send('+14155550155', 'word '.repeat(60));
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ['/messages', `/messages/${id}`]) {
      await page.goto(path);
      await page
        .getByText(/^word word/)
        .first()
        .waitFor();
      await checkAxe(page);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    const stranger = await world.newPage({ tenant: await world.registerTenant('Stranger') });
    await stranger.goto(`/messages/${id}`);
    await stranger.getByText('This message does not exist').waitFor();
    await stranger.goto('/messages');
    await stranger.getByText('No messages yet').waitFor();
  });

  test.each([
    ['/messages', 'Messages', 'Status'],
    ['/groups', 'Fallback groups', 'Time'],
    ['/verifications', 'Verifications', 'Status'],
    ['/conversations', 'Conversations', 'Channel'],
  ])(
    'on a phone the filters of %s are folded behind a button that counts them',
    async (path, name, label) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(path);
      const filters = page.getByRole('search', { name, exact: true });
      await filters.getByRole('searchbox').waitFor();
      const button = filters.getByRole('button', { name: /^Filters/ });
      const select = filters.getByLabel(label, { exact: true });
      expect([await select.isVisible(), await button.getAttribute('aria-expanded')]).toEqual([
        false,
        'false',
      ]);
      await button.click();
      await select.selectOption({ index: 1 });
      await filters.getByRole('button', { name: 'Filters (1)', exact: true }).click();
      await select.waitFor({ state: 'hidden' });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 860 });
      await select.waitFor();
      expect(await button.isVisible()).toBe(false);
    },
  );

  /** Scrolls down until a row is there: only those near the window are in the page. */
  async function scrollTo(row: Locator): Promise<void> {
    while ((await row.count()) === 0) {
      await page.mouse.wheel(0, 600);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await row.scrollIntoViewIfNeeded();
  }

  /** Pauses the tenant's accounts as a provider does that throttles. */
  async function pauseAccounts(seconds: number): Promise<void> {
    await sql`
      update channel_accounts set paused_until = now() + make_interval(secs => ${seconds}::float8),
        pause_reason = 'Too Many Requests'
      where tenant_id = ${tenant.id.replace(/^ten_/, '')}::uuid`.execute(world.db);
  }

  /** Sends by the sandbox; the message's id. */
  async function send(to: string, text: string): Promise<string> {
    return (await tenant.ask<{ id: string }>('POST', '/v1/messages', { channel: 'sms', to, text })).id;
  }
});
