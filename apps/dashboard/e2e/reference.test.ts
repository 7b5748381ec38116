import { until } from '@notify/testkit';
import type { Locator, Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('the API reference', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  // Fails on a breach of the Content-Security-Policy and on a request to another host.
  afterEach(() => world.checkGuards());

  const open = async (page: Page, hash = ''): Promise<void> => {
    await page.goto(`/docs${hash}`);
    await page.locator('.until-drawn').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Authentication', exact: true }).first().waitFor();
  };
  const sendText = '#tag/sending/POST/v1/notify/{channel}/text';
  /** The field for a credential in the dialog of a request. */
  const credentialField = async (client: Locator, placeholder: string): Promise<Locator> => {
    const heading = client.locator('button[aria-expanded]').filter({ hasText: 'Authentication' }).first();
    if ((await heading.getAttribute('aria-expanded')) === 'false') await heading.click();
    return client.getByPlaceholder(placeholder);
  };
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test.each(['light', 'dark'] as const)('fits a phone, in the %s scheme', async (scheme) => {
    const page = await world.newPage({ width: 360, scheme });
    await open(page);
    // Scalar still arranges the page for a moment.
    await until(async () => (await overflowOf(page)) === 0);
    expect(await page.evaluate('document.body.className')).toContain(`${scheme}-mode`);
    await open(page, sendText);
    await section(page, 'Send a text').getByText('X-Api-Key').first().waitFor();
    await until(async () => (await overflowOf(page)) === 0);
    await page.goto('/problems');
    await until(async () => (await overflowOf(page)) === 0);
  });

  test('the guides fit a phone, in both schemes, and the reference leads to them', async () => {
    const page = await world.newPage({ width: 360 });
    await open(page);
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Guides' })
      .click();
    await page.getByRole('heading', { name: 'Guides' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    await checkAxeInBothSchemes(page);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    await checkAxeInBothSchemes(page);
  });

  test('the search finds an operation, which has samples, responses and errors', async () => {
    const page = await world.newPage();
    await open(page);
    await page.getByRole('combobox', { name: 'Search guides and reference' }).fill('send a text');
    await page.getByRole('option', { name: /POST \/v1\/notify\/\{channel\}\/text$/ }).click();
    await page.waitForURL(({ hash }) => decodeURIComponent(hash) === sendText);
    const found = section(page, 'Send a text');
    await found.getByText(`curl ${world.url}/v1/notify/sms/text`).waitFor();
    await found.getByText('"status": "queued"').waitFor();
    await found.getByRole('tab', { name: /402/ }).click();
    await found.getByText('"code": "trial-expired"').waitFor();
  });

  test('has the introduction and all operations to read before its script is there', async () => {
    const page = await world.newPage({ width: 360 });
    await page.route('**/assets/api-reference-*.js', (route) => route.abort('connectionrefused'));
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'Notify API' }).waitFor();
    await page.getByText('Sends messages over WhatsApp').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'POST /v1/notify/{channel}/text' }).first().waitFor();
    expect(await overflowOf(page)).toBe(0);
    await checkAxeInBothSchemes(page);
    const whole = await page.getByRole('link', { name: 'openapi.json' }).first().boundingBox();
    expect(whole!.x + whole!.width).toBeLessThanOrEqual(360);
  });

  test('begins with sending, and a list can be tried at once, with a token', async () => {
    const tenant = await world.registerTenant();
    const { token } = await tenant.ask<{ readonly token: string }>('POST', '/tenant/service-tokens', {
      name: 'try',
      scopes: ['messages:read'],
    });
    const page = await world.newPage();
    await open(page);
    await page.getByText('Send a text', { exact: true }).first().waitFor();
    await open(page, '#tag/messages/GET/v1/messages');
    await section(page, 'List messages')
      .getByRole('button', { name: /Test Request/ })
      .click();
    const client = page.getByRole('dialog');
    await (await credentialField(client, 'Token')).fill(token);
    const answered = page.waitForResponse((one) => one.url().startsWith(`${world.url}/v1/messages`));
    await client.getByRole('button', { name: /^Send Request/ }).click();
    const answer = await answered;
    expect([answer.url(), answer.status()]).toEqual([`${world.url}/v1/messages`, 200]);
  });

  test('shows the events that webhooks receive', async () => {
    const page = await world.newPage();
    await open(page, '#tag/events/webhook/POST/message.failed');
    const event = section(page, 'Message failed');
    await event.getByText('"errorCode": "recipient-rejected"').waitFor();
    await event.getByText('webhook-signature').first().waitFor();
    expect(await event.getByRole('button', { name: /Test Request/ }).count()).toBe(0);
  });

  test('sends with a key of the sandbox, and keeps the key nowhere', async () => {
    const tenant = await world.registerTenant();
    const { key } = await tenant.ask<{ readonly key: string }>('POST', '/tenant/api-keys', { name: 'try' });
    const page = await world.newPage();
    await open(page, sendText);
    await section(page, 'Send a text')
      .getByRole('button', { name: /Test Request/ })
      .click();
    const client = page.getByRole('dialog');
    await (await credentialField(client, 'svc_live_…')).fill(key);
    const answered = page.waitForResponse(`${world.url}/v1/notify/sms/text`);
    await client.getByRole('button', { name: /^Send Request/ }).click();
    const answer = await answered;
    expect([answer.request().method(), answer.status()]).toEqual(['POST', 202]);
    await client.getByText('202 Accepted').waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain('svc_live_');
    expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0);
  });
});
