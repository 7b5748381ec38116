import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@notify/testkit';
import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { untilCount, untilSearch } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

interface Listed {
  readonly data: readonly { readonly messageId: string; readonly status: string }[];
}

describeInBrowser('many messages', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let key: string;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    for (const to of ['+14155550001', '+14155550001', '+14155550004']) await send(to, `to ${to}`);
    key = (await tenant.ask<{ key: string }>('POST', '/tenant/api-keys', { name: 'Web shop' })).key;
    await byKey('/v1/notify/sms/text', {
      to: '+14155550100',
      text: '=HYPERLINK("http://a.example") said "yes"',
      idempotencyKey: 'order-4711',
    });
    await until(async () => (await listed('status=queued')).length === 0);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a link to one error code lists exactly its messages, and the condition can be removed', async () => {
    await page.goto('/messages?status=failed&channel=sms&errorCode=recipient-rejected');
    const list = page.getByRole('table', { name: 'Messages' });
    await untilCount(list.getByRole('row'), 3);
    expect(await list.getByText('recipient-rejected').count()).toBe(2);
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Remove the condition Error code: recipient-rejected' }).click();
    await untilSearch(page, '?channel=sms&status=failed');
    await untilCount(list.getByRole('row'), 4);
  });

  test('a message is found by its idempotency key, provider ID and group, and shows them', async () => {
    await page.goto('/messages');
    await search('Idempotency key', 'order-4711');
    const list = page.getByRole('table', { name: 'Messages' });
    await untilCount(list.getByRole('row'), 2);
    await list.getByRole('link').first().click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('order-4711').waitFor();
    expect(await details.getByRole('link', { name: 'Web shop' }).getAttribute('href')).toBe('/keys');
    const externalId = await details
      .getByRole('definition')
      .filter({ hasText: /^sandbox/ })
      .textContent();
    await page.goto('/messages');
    await search('Provider ID', externalId!.trim());
    await untilCount(list.getByRole('row'), 2);
    await page.goto('/messages');
    await search('Group ID', 'grp_1');
    await page.getByText('A group ID is “grp_” and 36 characters.').waitFor();
    await search('Group ID', 'grp_01a20085-c49f-7b6f-90af-2e24b4f6c220');
    await page.getByText('No matching messages').waitFor();
  });

  test('what matches is exported as CSV, which no spreadsheet runs', async () => {
    await page.goto('/messages');
    await chooseAction('Export as CSV…');
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export 4 messages' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^messages-\d{4}-\d\d-\d\d\.csv$/);
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'export-'));
    const saved = path.join(folder.path, 'messages.csv');
    await file.saveAs(saved);
    const text = await readFile(saved, 'utf8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\uFEFFid,direction,channel,to,from,status,errorCode,error,/);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://a.example"") said ""yes"""`);
    expect(lines[1]).toContain('order-4711');
    await page
      .getByRole('dialog')
      .getByText(/^Exported 4 messages to /)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  });

  test('selected failed messages are resent after a question that says how many', async () => {
    await page.goto('/messages');
    const list = page.getByRole('table', { name: 'Messages' });
    for (const to of ['+14155550100', '+14155550001'])
      await list
        .getByRole('checkbox', { name: `Select the message: ${to}` })
        .first()
        .check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Resend…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Left out: 1 message that did not fail\./).waitFor();
    await checkAxe(page);
    await dialog.getByRole('button', { name: 'Resend 1 message' }).click();
    await dialog.getByText('Resent 1 message.').waitFor();
    await dialog.locator('button:focus').getByText('Close').waitFor();
    await page.keyboard.press('Escape');
    await untilCount(list.getByRole('row'), 6);
  });

  test('all waiting messages that match are canceled after a question that says how many', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const to of ['+14155550111', '+14155550112', '+14155550113']) await send(to, 'later', { sendAt });
    await page.goto('/messages?status=scheduled&to=%2B14155550111');
    await page.getByRole('row').nth(1).waitFor();
    await page.goto('/messages?status=scheduled');
    await page.getByRole('row').nth(3).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('checkbox', { name: /14155550113/ }).check();
    expect(await overflowOf(page)).toBe(0);
    await checkAxe(page);
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 message' }).click();
    await page.getByText('Canceled 1 message.').waitFor();
    await page.keyboard.press('Escape');
    await untilCount(page.getByRole('button', { name: 'Clear selection' }), 0);
    await page.locator('h1:focus').waitFor();
    await page.setViewportSize({ width: 1280, height: 860 });
    await chooseAction('Cancel waiting messages…');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 messages' }).click();
    await page.getByText('Canceled 2 messages.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No matching messages').waitFor();
  });

  test('a failed one-time code offers no resend, and says what to do', async () => {
    await byKey('/v1/notify/verifications', { channel: 'sms', to: '+14155550001' });
    await until(async () => (await listed('to=%2B14155550001&status=failed')).length === 4);
    const [code] = await listed('to=%2B14155550001&limit=1');
    await page.goto('/messages');
    await page.getByRole('row').nth(1).getByText('code', { exact: true }).waitFor();
    await page.goto(`/messages/${code!.messageId}`);
    await page.getByText('A one-time code is never sent again. Start a new verification.').waitFor();
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0);
    await page.getByText('This message is the only route to the recipient.').waitFor();
  });

  test('an event of several webhooks is one row that opens; their deliveries are told apart and retried', async () => {
    world.receiver.behave({ status: 500 });
    for (const name of ['one', 'two', 'three'])
      await tenant.ask('POST', '/v1/webhooks', {
        url: `${world.receiver.url}/${name}`,
        description: name,
        events: ['message.queued'],
      });
    const id = await send('+14155550122', 'to three webhooks');
    await page.goto(`/messages/${id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const row = timeline.getByRole('listitem').filter({ hasText: 'message.queued: 0 of 3 webhooks have it' });
    await row.first().waitFor();
    expect(await timeline.getByText('Show webhooks').count()).toBe(1);
    await timeline.getByText('Show webhooks').click();
    const webhooks = timeline.getByRole('list', { name: 'Webhooks of message.queued' });
    await untilCount(webhooks.getByRole('listitem'), 3);
    await checkAxeInBothSchemes(page);
    await webhooks.getByRole('link', { name: `${world.receiver.url}/two` }).click();

    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    const delivery = deliveries.getByRole('row').filter({ hasText: '+14155550122' });
    await delivery.getByRole('link', { name: /^msg_\w{8}…\w{4}$/ }).waitFor();
    await delivery.getByText(/evt_\w{8}…\w{4}$/).waitFor();
    await untilCount(page.getByRole('button', { name: 'Send test event' }), 1);
    await checkAxeInBothSchemes(page);
    world.receiver.behave({ status: 200 });
    await page.getByRole('checkbox', { name: 'Select all deliveries shown' }).check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Retry selected' }).click();
    await page.getByText('Retrying 1 delivery.').waitFor();
    await page.getByText('Healthy', { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await deliveries.getByRole('checkbox').nth(1).check();
    expect(await overflowOf(page)).toBe(0);
    await checkAxe(page);
  });

  test('a message is scheduled, listed, rescheduled and canceled', async () => {
    const scheduling = await world.registerTenant();
    const own = await world.newPage({ tenant: scheduling });
    await own.goto('/messages');
    await own.getByRole('button', { name: 'Send test message' }).first().click();
    const form = own.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · SMS');
    // Both faults are marked at once, and a time that is typed in part is not taken for none.
    await form.getByLabel('Recipient', { exact: true }).fill('0');
    await form.getByLabel('Send at', { exact: true }).fill('2020-01-31T09:30');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText(/E\.164/).waitFor();
    await form.getByText('This time has passed. Enter a later one.').waitFor();
    await form.getByLabel('Send at', { exact: true }).fill('');
    await form.getByLabel('Send at', { exact: true }).focus();
    await own.keyboard.type('12');
    await form.getByLabel('Recipient', { exact: true }).fill('+14155550111');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('Enter a date and a time.').waitFor();
    await form.getByText(/Time zone: Europe\/Berlin \(GMT\+[12]\)\./).waitFor();
    await form.getByRole('button', { name: 'Tomorrow 9:00' }).click();
    expect(await form.getByLabel('Send at', { exact: true }).inputValue()).toMatch(/T09:00$/);
    await form.getByLabel('Send at', { exact: true }).fill(momentIn(2));
    await form.getByRole('button', { name: 'Send', exact: true }).click();

    await own.getByRole('heading', { level: 1, name: 'To +14155550111' }).waitFor();
    await own.getByText('Scheduled for', { exact: true }).waitFor();
    await own.getByText('Scheduled', { exact: true }).first().waitFor();
    await own
      .getByRole('paragraph')
      .filter({ hasText: /^Scheduled for \w+ \d+, \d\d:\d\d\.$/ })
      .waitFor();
    expect(await own.getByText('Queued', { exact: true }).count()).toBe(0);
    const [change, cancel] = await Promise.all(
      ['Reschedule', 'Cancel'].map((name) => own.getByRole('button', { name, exact: true }).boundingBox()),
    );
    // Beside each other, at the end of the header.
    expect([cancel!.y, Math.round(cancel!.x - change!.x - change!.width) < 40]).toEqual([change!.y, true]);
    await own.getByRole('button', { name: 'Reschedule' }).click();
    await own.getByRole('dialog').getByLabel('Send at', { exact: true }).fill(momentIn(60));
    await own.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await own.getByText('Enter a time at most 30 days ahead.').waitFor();
    await checkAxe(own);
    await own.getByRole('dialog').getByLabel('Send at', { exact: true }).fill(momentIn(3));
    await own.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await own.getByText('Message rescheduled.').waitFor();

    await own.goto('/messages');
    await own.getByRole('row').filter({ hasText: '+14155550111' }).getByText('Scheduled').waitFor();
    await own.goto('/messages?status=scheduled');
    await own.getByRole('columnheader', { name: 'Leaves' }).waitFor();
    await own.getByRole('link', { name: '+14155550111' }).click();
    await own.getByRole('button', { name: 'Cancel', exact: true }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click();
    await own.getByText('Message canceled. It will not be sent.').waitFor();
  });

  async function search(by: string, value: string): Promise<void> {
    const choice = page.getByLabel('Search by', { exact: true });
    await page.getByRole('searchbox').fill(value);
    await choice.focus();
    await choice.selectOption(by);
    await choice.and(page.locator(':focus')).waitFor();
    // What was typed first is not lost.
    expect(await page.getByRole('searchbox').inputValue()).toBe(value);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
  }

  async function chooseAction(name: string): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  }

  async function listed(query: string): Promise<Listed['data']> {
    return (await tenant.ask<Listed>('GET', `/v1/messages?${query}`)).data;
  }

  /** Asks with the API key. */
  async function byKey(path: string, body: object): Promise<void> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const { status } = await fetch(`${world.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(Math.floor(status / 100)).toBe(2);
  }

  /** Sends by the sandbox; the message's id. */
  async function send(to: string, text: string, more: object = {}): Promise<string> {
    const body = { channel: 'sms', to, text, ...more };
    return (await tenant.ask<{ id: string }>('POST', '/v1/messages', body)).id;
  }
});

/** A moment in so many days, as a form takes it. */
function momentIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
}
