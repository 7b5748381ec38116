import type { Locator, Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { type Answer, keyRow, sendWith } from './page/key-rows.ts';
import { overflowOf } from './page/overflow.ts';
import { leaveSecret, shownSecret } from './page/secret.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly channel: string;
}

describeInBrowser('narrowed API keys', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let second: Account;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    second = await tenant.ask<Account>('POST', '/v1/channel-accounts', {
      provider: 'sandbox',
      name: 'Second shop',
      settings: { channel: 'sms' },
    });
    page = await world.newPage({ tenant });
    await page.goto('/keys');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a key without the scope for it cannot send, and its sample does not try to', async () => {
    const form = await openForm('reader');
    await form.getByRole('checkbox', { name: 'send', exact: true }).uncheck();
    await form.getByRole('checkbox', { name: 'read', exact: true }).uncheck();
    await create(form);
    await form.getByText('Choose at least one.').waitFor();
    await page.locator('input[type=checkbox][value=send]:focus').waitFor();
    await form.getByRole('checkbox', { name: 'list', exact: true }).check();
    await create(form);
    const key = await shownSecret(page);
    const command = page.getByRole('dialog').getByRole('group', { name: 'Command' });
    expect(await command.textContent()).toContain(`curl ${world.url}/v1/notify/messages \\`);
    await checkAxeInBothSchemes(page);
    await leaveSecret(page, 'key');

    const refused = await send(key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(refused.body.detail).toContain('send');
    expect((await read(key, '/v1/notify/messages')).status).toBe(200);
    await row('reader').getByText('list', { exact: true }).waitFor();
  });

  test('a key for one account sends from it, until the time and from the addresses that its row shows', async () => {
    const form = await openForm('branch');
    await form.getByLabel('Only these accounts', { exact: true }).check();
    await create(form);
    await form.getByText('Choose at least one account.').waitFor();
    await form.getByRole('checkbox', { name: 'Second shop' }).check();
    await form.getByLabel('Expires', { exact: true }).selectOption('In 30 days');
    await addAddress(form, '127.0.0.0/8');
    await addAddress(form, '::1');
    await checkAxeInBothSchemes(page);
    await create(form);
    const key = await shownSecret(page);
    await leaveSecret(page, 'key');

    const sent = await send(key);
    expect(sent.status).toBe(202);
    const { channelAccountId } = await tenant.ask<{ channelAccountId: string }>(
      'GET',
      `/v1/messages/${sent.body.id}`,
    );
    expect(channelAccountId).toBe(second.id);
    const [other] = (await tenant.ask<Account[]>('GET', '/v1/channel-accounts')).filter(
      ({ id, channel }) => channel === 'sms' && id !== second.id,
    );
    expect(await send(key, { channelAccountId: other!.id })).toMatchObject({
      status: 422,
      body: { code: 'channel-account-not-found' },
    });
    for (const shown of ['Second shop · SMS', '127.0.0.0/8', 'in 30 days'])
      await row('branch').getByText(shown).first().waitFor();
  });

  test('a key for other addresses is refused from here', async () => {
    const form = await openForm('elsewhere');
    await addAddress(form, '203.0.113.0/24');
    await create(form);
    const key = await shownSecret(page);
    await leaveSecret(page, 'key');
    expect(await send(key)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('errors are shown at the address and the time that they are about', async () => {
    const form = await openForm('wrong');
    await form.getByLabel('Expires', { exact: true }).selectOption('At a date and time');
    await addAddress(form, '203.0.113.0/24');
    await addAddress(form, '');
    await create(form);
    await form.getByText('Enter a date and a time.').waitFor();
    await errorAt(form.getByRole('textbox', { name: 'Address 2' }), 'Enter an address, or remove this line.');
    await form.getByRole('textbox', { name: 'Address 2' }).fill('next door');
    await form.getByLabel('Expires at', { exact: true }).fill('2020-01-31T09:30');
    await create(form);
    await errorAt(form.getByLabel('Expires at', { exact: true }), 'Must be in the future');
    await form.getByLabel('Expires at', { exact: true }).fill('2099-01-31T09:30');
    await create(form);
    await errorAt(form.getByRole('textbox', { name: 'Address 2' }), 'Must be an IP address or a CIDR block');
    await page.locator('[aria-label="Address 2"]:focus').waitFor();
    expect(await form.getByRole('textbox', { name: 'Address 1' }).getAttribute('aria-invalid')).not.toBe(
      'true',
    );
    await checkAxeInBothSchemes(page);

    // What is wrong goes with its line.
    await form.getByRole('button', { name: 'Remove address 2' }).click();
    await form.getByText('Must be an IP address').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  });

  test('a pasted list of addresses fills one line each', async () => {
    const form = await openForm('pasted');
    await form.getByRole('button', { name: 'Add an address' }).click();
    await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text', '203.0.113.7, 203.0.113.8\\n2001:db8::/32');
        const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(paste);
      })()`);
    expect(await form.getByRole('textbox', { name: 'Address 3' }).inputValue()).toBe('2001:db8::/32');
    expect(await form.getByRole('textbox', { name: 'Address 1' }).inputValue()).toBe('203.0.113.7');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  });

  test('a key shows that its account was removed', async () => {
    await tenant.ask('DELETE', `/v1/channel-accounts/${second.id}`);
    await page.reload();
    await row('branch')
      .getByText(`Removed account (…${second.id.slice(-4)})`)
      .waitFor();
    // The columns of all rows are the same.
    const places = await page.evaluate<number[]>(
      '[...document.querySelectorAll("dt")].filter((dt) => dt.textContent === "Expires").map((dt) => dt.getBoundingClientRect().x)',
    );
    expect(places.length).toBeGreaterThan(2);
    expect(new Set(places).size).toBe(1);
    await page.getByText(`${places.length} API keys`, { exact: true }).waitFor();
  });

  test('on a small screen nothing is cut off, in the list and in the dialogs', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await row('branch').waitFor();
    await checkAxe(page);
    expect(await overflowOf(page)).toBe(0);
    const form = await openForm('W'.repeat(200));
    await form.getByLabel('Only these accounts', { exact: true }).check();
    await addAddress(form, '2001:0db8:85a3:0000:0000:8a2e:0370:7334/128');
    await checkAxeInBothSchemes(page);
    const sideways = 'const box = document.querySelector("[role=dialog]"); box.scrollWidth - box.clientWidth';
    expect([await overflowOf(page), await page.evaluate(sideways)]).toEqual([0, 0]);
  });

  /** Opens the form of a new key with this name. */
  async function openForm(name: string): Promise<Locator> {
    await page.getByRole('button', { name: 'Create a key' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill(name);
    return form;
  }

  function create(form: Locator): Promise<void> {
    return form.getByRole('button', { name: 'Create', exact: true }).click();
  }

  /** The new line has the focus. */
  async function addAddress(form: Locator, address: string): Promise<void> {
    await form.getByRole('button', { name: 'Add an address' }).click();
    await page.locator('[aria-label^="Address "]:focus').fill(address);
  }

  const row = (name: string): Locator => keyRow(page, name);
  const send = (key: string, more: object = {}): Promise<Answer> => sendWith(world, key, more);

  function read(key: string, path: string): Promise<Response> {
    return fetch(`${world.url}${path}`, { headers: { 'x-api-key': key } });
  }
});

/** Waits until an input says what is wrong with it, also to a screen reader. */
async function errorAt(input: Locator, text: string): Promise<void> {
  await input.page().getByRole('dialog').getByText(text).waitFor();
  const described = (await input.getAttribute('aria-describedby')) ?? '';
  const words = await Promise.all(
    described
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => input.page().locator(`[id="${id}"]`).textContent()),
  );
  expect(words.join(' ')).toContain(text);
  expect(await input.getAttribute('aria-invalid')).toBe('true');
}
