import type { Received } from '@notify/testkit';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { leaveSecret, shownSecret } from './page/secret.ts';
import { untilSearch } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

/** A hang bound: failures have their waits, and a busy machine is slow to look at pages. */
const hangMs = 90_000;

describeInBrowser('API keys and webhooks', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let key: string;
  let secret: string;
  let webhookPath: string;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a key is made, shown once, and asked about before it is gone', async () => {
    await page.goto('/keys');
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create your first key' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByText('Required', { exact: true }).waitFor();
    await form.getByLabel('Name', { exact: true }).fill('shop');
    await form.getByLabel('Requests per minute', { exact: true }).fill('20000');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByText('Must be at most 10000').waitFor();
    await form.getByLabel('Requests per minute', { exact: true }).fill('120');
    await form.getByRole('button', { name: 'Create', exact: true }).click();

    key = await shownSecret(page);
    expect(key).toMatch(/^svc_live_\w{49}$/);
    await checkAxeInBothSchemes(page);
    await leaveSecret(page, 'key');
    const item = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
    expect(await item.textContent()).toMatch(`svc_live_…${key.slice(-4)}`);
    await item.getByText('120 per minute').waitFor();
    expect(await item.textContent()).toContain('Last usedNever');
    expect(await page.content()).not.toContain(key);
    await checkAxeInBothSchemes(page);
  });

  test('a failing webhook is found by its badge, and its attempts say what is wrong', async () => {
    world.receiver.behave({ status: 500, body: 'the orders table is locked' });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Add your first webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('URL', { exact: true }).fill('ftp://example.com/');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByText('The URL must be http or https').waitFor();
    await form.getByLabel('URL', { exact: true }).fill(`${world.receiver.url}/hook`);
    await form.getByLabel('Description', { exact: true }).fill('Order service');
    await form.getByLabel('message.read', { exact: true }).uncheck();
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    secret = await shownSecret(page);
    await leaveSecret(page, 'secret');

    await send('one');
    await send('two');
    const card = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await card.getByText('Failing', { exact: true }).waitFor({ timeout: hangMs });
    await checkAxeInBothSchemes(page);
    await card.getByRole('link', { name: 'Order service' }).click();
    await page.getByText(/^The last \d+ attempts failed\./).waitFor();
    await page.waitForURL('**/webhooks/wh_*');
    webhookPath = new URL(page.url()).pathname;

    // The banner says why, and when it will be tried again; the list begins with what failed.
    await page.getByText('Last error: Responded with 500.').waitFor();
    await page.getByText(/Next probe: /).waitFor();
    await page.getByRole('button', { name: 'With errors', pressed: true }).waitFor();
    const table = page.getByRole('table', { name: 'Deliveries' });
    expect(await table.getByText('Pending', { exact: true }).count()).toBe(0);
    await table.getByRole('button', { expanded: false }).last().click();
    await table.getByText('Responded with 500.').first().waitFor();
    await table.getByText('the orders table is locked').first().waitFor();
    await table.getByText('Request body').click();
    await table.getByRole('group', { name: 'Request body' }).getByText('"event"').waitFor();
    await table.getByText('Request headers').first().click();
    const shown = await table.getByRole('group', { name: 'Request headers' }).first().textContent();
    const [, signature] = /webhook-signature: (v1,\S+)/.exec(shown ?? '') ?? [];
    expect(world.receiver.received.map(({ headers }) => headers['webhook-signature'])).toContain(signature);
    expect(await page.content()).not.toContain(secret);
    await checkAxeInBothSchemes(page);
  });

  test('once the endpoint is fixed a retry delivers, and the badge turns healthy', async () => {
    world.receiver.behave({ status: 200 });
    const table = page.getByRole('table', { name: 'Deliveries' });
    await table.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('Healthy', { exact: true }).waitFor();
    await table.getByText('Responded with 200.').waitFor();
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.getByText('No failed deliveries').waitFor();
    await untilSearch(page, '?state=failed');
    await page.goBack();
    await page.getByRole('button', { name: 'With errors', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
  });

  test('what came while it was disabled is replayed, and signed with the secret that was shown', async () => {
    await chooseAction('Disable…');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).first().waitFor();
    const missed = await send('missed');
    const enable = page.getByRole('button', { name: 'Enable', exact: true });
    await enable.click();
    await enable.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Replay from', { exact: true }).selectOption('Last hour');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    // It was told while nobody listened: only the replay can bring it.
    const arrived = await world.receiver.next((one) => isEvent(one, 'message.queued', missed));
    expect(verified(arrived, secret)).toMatchObject({ messageId: missed });
  });

  test('a rotated secret is shown once, and it is said how long the one before still signs', async () => {
    await chooseAction('Rotate secret…');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const newer = await shownSecret(page);
    expect(newer).not.toBe(secret);
    await leaveSecret(page, 'secret');
    await page.getByText('Two secrets are active').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    const arrived = await world.receiver.next((one) => one.body.includes('webhook.test'));
    for (const each of [secret, newer])
      expect(verified(arrived, each)).toMatchObject({ event: 'webhook.test' });
  });

  test('how to check a signature is explained with the webhook’s own address', async () => {
    await chooseAction('Verify signatures');
    await page.getByText(`url='${world.receiver.url}/hook'`).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('link', { name: 'Back to webhook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order service' }).waitFor();
    await page.waitForURL(({ pathname }) => pathname === webhookPath);
  });

  test('on a small screen nothing is cut off', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ['/keys', '/webhooks', webhookPath, '/webhooks/verify']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('main').locator('[aria-busy]').waitFor({ state: 'detached' });
      await checkAxe(page);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('another tenant sees none of it, and its addresses lead nowhere', async () => {
    const stranger = await world.newPage({ tenant: await world.registerTenant('Stranger') });
    await stranger.goto('/webhooks');
    await stranger.getByText('No webhooks yet').waitFor();
    await stranger.goto('/keys');
    await stranger.getByText('No API keys yet').waitFor();
    await stranger.goto(webhookPath);
    await stranger.getByText('This webhook does not exist').waitFor();
    expect(await stranger.content()).not.toContain('Order service');
  });

  test('a revoked key stops at once, and a removed webhook is gone', async () => {
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Revoke shop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The key stops working immediately').waitFor();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect(await post('/v1/notify/sms/text', { to: '+14155550100', text: 'late' })).toMatchObject({
      status: 401,
    });

    await page.goto(webhookPath);
    await chooseAction('Remove…');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
    await page.waitForURL('**/webhooks');
    await page.getByText('No webhooks yet').waitFor();
  });

  async function chooseAction(name: string): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  }

  function post(path: string, body: object): Promise<Response> {
    return fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Sends a message by the sandbox; its id. */
  async function send(text: string): Promise<string> {
    const answer = await post('/v1/notify/sms/text', { to: '+14155550100', text });
    return ((await answer.json()) as { id: string }).id;
  }
});

/** What a delivery says, once its signature has been found to be of this secret. */
function verified({ body, headers }: Received, secret: string): unknown {
  return new Verifier(secret).verify(body.toString(), headers as Record<string, string>);
}

function isEvent({ body }: Received, name: string, messageId: string): boolean {
  const event = JSON.parse(body.toString()) as { event: string; messageId: string | null };
  return event.event === name && event.messageId === messageId;
}
