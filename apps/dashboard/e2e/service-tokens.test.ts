import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { leaveSecret, shownSecret } from './page/secret.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('service tokens', () => {
  let world: World;
  let page: Page;
  let token: string;

  beforeAll(async () => {
    world = await openWorld();
    page = await world.newPage({ tenant: await world.registerTenant() });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a token is made with the scopes of a preset and one more, shown once, with how to use it', async () => {
    await page.goto('/keys');
    await page.getByRole('navigation').getByRole('link', { name: 'Service tokens' }).click();
    await page.getByText('No service tokens yet').waitFor();
    await page.getByText('Only a logged-in person can create or revoke tokens.').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByText('Required', { exact: true }).waitFor();
    await form.getByText('Choose at least one.').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('deployment');
    await form.getByRole('button', { name: 'CI: send and read' }).click();
    await form.getByRole('checkbox', { name: 'Send: Messages', checked: true }).waitFor();
    await form.getByRole('group', { name: 'Webhooks' }).getByRole('checkbox', { name: /^Read/ }).check();
    await form.getByRole('button', { name: 'CI: send and read', pressed: false }).waitFor();
    await checkAxeInBothSchemes(page);
    await form.getByRole('button', { name: 'Create', exact: true }).click();

    token = await shownSecret(page);
    expect(token).toMatch(/^svc_tok_\w{49}$/);
    await page.getByText(`npx @notify/cli login --url ${world.url}`).waitFor();
    const request = page.getByRole('dialog').getByRole('group', { name: 'Request' });
    expect(await request.textContent()).toContain(`-H 'Authorization: Bearer ${token}'`);
    await checkAxeInBothSchemes(page);
    await leaveSecret(page, 'token');
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('list', { name: 'Service tokens' }).getByRole('listitem');
    await row.getByText('Messages (read, send), Events (read), Webhooks (read)').waitFor();
    expect(await row.textContent()).toContain(`svc_tok_…${token.slice(-4)}`);
    await checkAxeInBothSchemes(page);
  });

  test('the token works as far as its scopes go, and not where a person has to log in', async () => {
    const sent = await call('POST', '/v1/messages', { channel: 'sms', to: '+14155550100', text: 'Hello' });
    expect(sent.status).toBe(202);
    expect((await call('GET', '/v1/messages')).status).toBe(200);
    expect((await call('GET', '/v1/webhooks')).status).toBe(200);
    const refused = await call('POST', '/v1/webhooks', { url: 'https://example.com/hooks' });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('webhooks:write');
    for (const path of ['/auth/me', '/tenant/service-tokens'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 401]);
  });

  test('its row shows that it was used', async () => {
    await page.reload();
    await page.getByRole('definition').filter({ hasText: 'just now' }).waitFor();
  });

  test('errors are shown at the address that they are about', async () => {
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('report');
    await form.getByRole('button', { name: 'Read everything' }).click();
    for (const address of ['203.0.113.0/24', '203.0.113.0/40']) {
      await form.getByRole('button', { name: 'Add an address' }).click();
      await page.locator('[aria-label^="Address "]:focus').fill(address);
    }
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[aria-label="Address 2"][aria-invalid="true"]:focus').waitFor();
    await form.getByText('Must be an IP address or a CIDR block').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  });

  test('a token is made with the keyboard alone', async () => {
    await page.getByRole('button', { name: 'Create a token' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('input[data-path="name"]:focus').waitFor();
    await page.keyboard.type('laptop');
    await tabTo('button:focus:has-text("Command line")');
    await page.keyboard.press('Enter');
    await tabTo('input[value="accounts:link"]:focus');
    await page.keyboard.press('Space');
    await tabTo('select[data-path="ends"]:focus');
    await page.keyboard.press('ArrowDown');
    await tabTo('button:focus:has-text("Add an address")');
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Address 1"]:focus').waitFor();
    await page.keyboard.type('127.0.0.1');
    await tabTo('[aria-label="Remove address 1"]:focus');
    await page.keyboard.press('Enter');
    await page.locator('button:focus:has-text("Add an address")').waitFor();
    await tabTo('button[type=submit]:focus');
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Copy the token"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await tabTo('button:focus:has-text("I’ve saved it")');
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'laptop' });
    await row.getByText('in 30 days').waitFor();
    await row.getByRole('button', { name: /^and \d more scopes of laptop$/ }).click();
    await row.getByText('Accounts (read, write)').waitFor();
  });

  test('a revoked token stops at once', async () => {
    await page.getByRole('button', { name: 'Revoke deployment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The token stops working immediately').waitFor();
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Token “deployment” revoked.').waitFor();
    expect((await call('GET', '/v1/messages')).status).toBe(401);
  });

  test('on a small screen nothing is cut off', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'laptop' }).waitFor();
    await checkAxe(page);
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    await checkAxeInBothSchemes(page);
    const sideways = 'const box = document.querySelector("[role=dialog]"); box.scrollWidth - box.clientWidth';
    expect([await overflowOf(page), await page.evaluate(sideways)]).toEqual([0, 0]);
  });

  test('another tenant sees none of it', async () => {
    const stranger = await world.newPage({ tenant: await world.registerTenant('Stranger') });
    await stranger.goto('/tokens');
    await stranger.getByText('No service tokens yet').waitFor();
    expect(await stranger.content()).not.toContain('laptop');
  });

  /** Presses Tab until the focus is on what the selector names. */
  async function tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await page.locator(selector).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${selector}`);
  }

  function call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${world.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
});
