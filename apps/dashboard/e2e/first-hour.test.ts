import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

const longName = 'W'.repeat(200);

describeInBrowser('what a newcomer runs into', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('an address that leads nowhere says so, with the status 404, logged in or not', async () => {
    const stranger = await world.newPage();
    for (const one of [page, stranger]) {
      expect((await one.goto('/nonsense'))?.status()).toBe(404);
      await one.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
      await checkAxe(one);
    }
    await stranger.close();
  });

  test('dates and figures are in the language of the page, whatever that of the browser is', async () => {
    const german = await world.newPage({ tenant, locale: 'de-DE' });
    await tenant.ask('POST', '/tenant/api-keys', { name: 'busy', rateLimitOverride: 10_000 });
    await german.goto('/keys');
    await german.getByText('10,000 per minute').waitFor();
    await german.getByText('just now').first().waitFor();
    await german.goto('/settings');
    await german
      .getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{2}:\d{2}:\d{2}$/)
      .first()
      .waitFor();
    await german.goto('/messages');
    await german.getByLabel('Time', { exact: true }).selectOption('Custom range…');
    await german.getByLabel('From', { exact: true }).waitFor();
    await german.getByText(/^Times are in Europe\/Berlin \(GMT\+[12]\)\.$/).waitFor();
    await german.close();
  });

  test('a key with a name of 200 characters fits on every screen, and its dialog begins with Copy', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(longName);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator(':focus[aria-label="Copy the key"]').waitFor();
    await checkAxe(page);
    await fits();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await dialog.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Revoke ${longName}` }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).waitFor();
    await fits();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText(/^Key “W+” revoked\.$/).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await fits();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  /** Nothing reaches out of the window, and dialogs do not scroll sideways. */
  async function fits(): Promise<void> {
    expect(await overflowOf(page)).toBe(0);
    const dialog = page.getByRole('dialog');
    if ((await dialog.count()) === 0) return;
    const { x, width } = (await dialog.first().boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(360);
    const title = (await dialog.first().getByRole('heading').first().boundingBox())!;
    expect(title.x + title.width).toBeLessThanOrEqual(x + width);
  }

  test('what was entered is asked about before it is lost, in a dialog and on a page', async () => {
    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/hooks');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('https://example.com/hooks');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });

    const [account] = await tenant.ask<{ id: string }[]>('GET', '/v1/channel-accounts');
    await page.goto(`/channels/${account!.id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  test('a second webhook for the same URL is asked about; a test event that fails is not retried', async () => {
    const url = `${world.receiver.url}/hook`;
    world.receiver.behave({ status: 500 });
    const first = await tenant.ask<{ id: string }>('POST', '/v1/webhooks', { url, description: 'Orders' });
    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Two webhooks for one URL?' });
    await question.getByText('The webhook “Orders” already posts to').waitFor();
    await checkAxe(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await tenant.ask<object[]>('GET', '/v1/webhooks')).toHaveLength(1);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await question.getByRole('button', { name: 'Add anyway' }).click();
    await page.getByRole('dialog', { name: 'Signing secret' }).waitFor();
    expect(await tenant.ask<object[]>('GET', '/v1/webhooks')).toHaveLength(2);

    await page.goto(`/webhooks/${first.id}`);
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    const table = page.getByRole('table', { name: 'Deliveries' });
    await table.getByText('Failed', { exact: true }).waitFor();
    await table.getByRole('button', { name: 'webhook.test' }).click();
    await table.getByText('A test event is not retried. Send another one.').waitFor();
    await table.getByText('Request headers').waitFor();
    expect(await table.getByRole('button', { name: /Retry|Redeliver/ }).count()).toBe(0);
    await checkAxeInBothSchemes(page);
  });

  test('a removed account is gone from every page at once', async () => {
    const settings = { botToken: '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawA' };
    const body = { provider: 'telegram-bot', name: 'Short-lived', settings };
    const { id } = await tenant.ask<{ id: string }>('POST', '/v1/channel-accounts', body);
    await page.goto('/messages');
    await page
      .getByLabel('Account', { exact: true })
      .getByRole('option', { name: 'Short-lived · Telegram' })
      .waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('link', { name: 'Short-lived' }).click();
    // With something unsaved, too: there is nothing left to save it to.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Other');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const shown: string[] = [];
    await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
    shown.push((await page.getByRole('main').textContent()) ?? '');
    await page.getByRole('link', { name: 'Renamed' }).waitFor();
    shown.push((await page.getByRole('main').textContent()) ?? '');
    expect(shown.join('')).not.toContain('Short-lived');
    await page.getByRole('link', { name: 'Messages' }).click();
    await page
      .getByLabel('Account', { exact: true })
      .getByRole('option')
      .nth(1)
      .waitFor({ state: 'attached' });
    expect(await page.getByLabel('Account', { exact: true }).textContent()).not.toContain('Short-lived');
    await page.goto(`/channels/${id}`);
    await page.getByText('This account does not exist').waitFor();
  });

  test('provider cards say what one needs; a gateway begins with a preset and shows its request', async () => {
    await page.goto('/channels');
    await page.getByText('You need a bot’s token, which @BotFather gives you in Telegram.').waitFor();
    await page.getByRole('link', { name: 'Connect Custom HTTP SMS gateway' }).click();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://gateway.example/send');
    await page.getByLabel('Gateway', { exact: true }).selectOption('POST with JSON and a bearer token');
    const preview = page.getByRole('group', { name: 'Preview of the request' });
    await preview.getByText('POST https://gateway.example/send').waitFor();
    await page.getByLabel('Sender', { exact: true }).fill('Shop');
    await preview.getByText('{"from":"Shop","to":"+4915735550140","text":"Your code is 4711."}').waitFor();
    expect(await preview.textContent()).toContain('Authorization: Bearer ••••');
    await checkAxeInBothSchemes(page);
    const small = await world.newPage({ tenant, width: 360 });
    await small.goto('/channels/connect/http-sms');
    await small.getByLabel('Gateway', { exact: true }).selectOption('GET with everything in the URL');
    await small.getByRole('textbox', { name: 'URL', exact: true }).fill('https://gateway.example/send');
    await small.getByRole('group', { name: 'Preview of the request' }).waitFor();
    expect(await overflowOf(small)).toBe(0);
    await small.close();
  });
});
