import type { Locator, Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { inputOf } from './page/input-of.ts';
import { overflowOf } from './page/overflow.ts';
import { readQr } from './page/qr-picture.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

/** WhatsApp's first QR code lasts a minute. */
const renewalWithinMs = 90_000;
const phone = '15550007001';

interface Account {
  readonly id: string;
  readonly provider: string;
  readonly channel: string;
  readonly isDefault: boolean;
  readonly settings: object;
}

describeInBrowser('channels', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  /** Shows a QR code from the first test on, so that its minute passes while the others run; whether another came then. */
  let linking: Page;
  let firstQr: string;
  let renewed: Promise<boolean>;

  beforeAll(async () => {
    const env = { PUBLIC_URL: 'https://notify.example' };
    world = await openWorld({ peers: ['twilio', 'telegram-bot', 'whatsapp-web'], env });
    tenant = await world.registerTenant();
    linking = await world.newPage({ tenant, scheme: 'dark' });
    page = await world.newPage({ tenant });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world?.checkGuards());

  test('connecting a WhatsApp account shows a QR code that a camera can read, also in the dark', async () => {
    await linking.goto('/channels');
    await linking.getByRole('link', { name: 'Connect WhatsApp by QR code' }).click();
    await linking.getByRole('button', { name: 'Connect and show the QR code' }).click();
    await linking.getByText('Required', { exact: true }).waitFor();
    await linking.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop phone');
    await linking.getByRole('button', { name: 'Connect and show the QR code' }).click();
    await linking.getByRole('img', { name: 'QR code that links a phone' }).waitFor();
    await linking.getByText(/^Next code in \d+ s$/).waitFor();
    firstQr = (await readQr(linking)) ?? '';
    expect(firstQr).toMatch(/\b2@/);
    renewed = anotherIsDrawn();
    await checkAxe(linking);
  });

  test('an SMS account is verified in the words of Twilio, and can be set right', async () => {
    await page.goto('/channels/connect/twilio');
    const { accountSid, authToken, from } = world.peers.twilio!.settings as Record<string, string>;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop SMS');
    await inputOf(page, 'Account SID').fill('AC1');
    await inputOf(page, 'Auth token').fill('wrong-token');
    await inputOf(page, 'Sender').fill(from!);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Account SID has an invalid format. Example: AC0123').waitFor();
    await inputOf(page, 'Account SID').fill(accountSid!);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();

    const refused = page.getByRole('alert').filter({ hasText: 'This account cannot send' });
    await refused.getByText('Authenticate').waitFor();
    await page.getByText('Action required', { exact: true }).waitFor();
    expect(await page.getByText('Default for SMS').isVisible()).toBe(false);
    await inputOf(page, 'Auth token').fill(authToken!);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The account works.').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Default for SMS').waitFor();
    await page.getByText(/^https:\/\/notify\.example\/callbacks\/twilio\//).waitFor();
    expect(await page.content()).not.toContain(authToken);
  });

  test('of a stored account only what was changed is changed', async () => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop texts');
    await page.getByRole('button', { name: 'More settings' }).click();
    await inputOf(page, 'Messages per second').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop texts' }).waitFor();
    const [account] = await accounts('twilio');
    expect(account).toMatchObject({ name: 'Shop texts', settings: { ratePerSecond: 5 } });
    expect(await tenant.ask('POST', `/v1/channel-accounts/${account!.id}/verify`)).toMatchObject({
      ok: true,
    });
  });

  test('another account becomes the default, and gives it back', async () => {
    const [twilio] = await accounts('twilio');
    const sandbox = (await accounts('sandbox')).find(({ channel }) => channel === 'sms');
    for (const { id } of [sandbox!, twilio!]) {
      await page.goto(`/channels/${id}`);
      await page.getByRole('button', { name: 'Set as default' }).click();
      await page.getByText('Default for SMS').waitFor();
      await page.getByRole('button', { name: 'Set as default' }).waitFor({ state: 'detached' });
    }
    const all = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
    expect(all.filter(({ channel, isDefault }) => channel === 'sms' && isDefault)).toMatchObject([
      { id: twilio!.id },
    ]);
  });

  test('the form of a gateway shows what goes with its profile; a gateway that is away is told', async () => {
    await page.goto('/channels/connect/http-sms');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Own gateway');
    await page.getByRole('combobox', { name: 'Format', exact: true }).selectOption('json');
    await inputOf(page, 'Content').fill('{"to":"{{to}}"}');
    await page.getByLabel('Gateway', { exact: true }).selectOption('Kannel');
    await inputOf(page, 'Content').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('http://127.0.0.1:9/cgi-bin/sendsms');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('User name is required with profile kannel.').waitFor();
    await inputOf(page, 'User name').fill('tester');
    await inputOf(page, 'Password').fill('secret');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const told = page.getByRole('alert').filter({ hasText: 'Connecting: not verified yet' });
    await told.getByText('No response').waitFor();
    await told.getByText('Check the address in the settings.').waitFor();
    await page.getByText('Connecting', { exact: true }).waitFor();
    expect(await page.getByText('Default for SMS').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('alert').filter({ hasText: 'Could not reach Custom HTTP SMS gateway' }).waitFor();
    const [gateway] = await accounts('http-sms');
    const settings = { profile: 'kannel', url: 'http://127.0.0.1:9/cgi-bin/sendsms', username: 'tester' };
    expect(gateway!.settings).toEqual({ ...settings, password: '********' });
  });

  test('a gateway that moves to another address asks for its password again, at its input', async () => {
    const url = page.getByRole('textbox', { name: 'URL', exact: true });
    const password = inputOf(page, 'Password');
    await url.fill('http://127.0.0.1:10/cgi-bin/sendsms');
    expect(await password.getAttribute('placeholder')).toBe('Leave empty to keep the stored value');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Password must be entered again').waitFor();
    await page.getByText('Not saved. Fix the marked fields.').waitFor();
    expect(await password.getAttribute('placeholder')).toBeNull();
    await password.fill('secret');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, not verified').waitFor();
    const [gateway] = await accounts('http-sms');
    expect(gateway!.settings).toMatchObject({ url: 'http://127.0.0.1:10/cgi-bin/sendsms' });
  });

  test('a Telegram account: a wrong token in Telegram’s words, then the right one, and its removal', async () => {
    await page.goto('/channels/connect/telegram-bot');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop bot');
    await inputOf(page, 'Bot token').fill('110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsax');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').getByText('Unauthorized').waitFor();
    await inputOf(page, 'Bot token').fill(String(world.peers['telegram-bot']!.settings.botToken));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The account works.').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Connected as @').waitFor();

    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“Sandbox” becomes the default for Telegram.').waitFor();
    await dialog.getByText('channel-account-removed').waitFor();
    await dialog.getByRole('button', { name: 'Remove account' }).click();
    await page.waitForURL('**/channels');
    await page.getByRole('link', { name: 'Shop texts' }).waitFor();
    expect(await accounts('telegram-bot')).toEqual([]);
  });

  test('an account that is not there says so', async () => {
    await page.goto('/channels/0190d5a4-0000-7000-8000-000000000000');
    await page.getByText('This account does not exist').waitFor();
    await page.goto('/channels/connect/pigeon');
    await page.getByText('This provider does not exist').waitFor();
  });

  test('nobody is kept out, in both colour schemes and on a small screen', async () => {
    const [account] = await accounts('twilio');
    const views = ['/channels', '/channels/connect/http-sms', `/channels/${account!.id}`];
    const looked = await world.newPage({ tenant, width: 360 });
    for (const path of views) {
      await looked.goto(path);
      await looked.getByRole('heading', { level: 2 }).first().waitFor();
      await looked.getByRole('main').locator('[aria-busy]').first().waitFor({ state: 'detached' });
      await checkAxeInBothSchemes(looked);
      expect([path, await overflowOf(looked)]).toEqual([path, 0]);
    }
    await looked.close();
  });

  test('the QR code renews itself; scanned from the screen it links the phone; unlinking asks first', async () => {
    expect(await renewed).toBe(true);
    // Linking ends by itself after some three minutes, which tests may take where much else runs.
    const again = linking.getByRole('button', { name: 'Try again with a QR code' });
    if (await again.isVisible()) await again.click();
    await drawing().waitFor();
    const qr = (await readQr(linking)) ?? '';
    expect(qr).toMatch(/\b2@/);
    expect(qr).not.toBe(firstQr);
    await world.peers['whatsapp-web']!.tell('POST', '/scan', { qr, phone });
    // Exactly: a screen reader is told so in a sentence, with a full stop.
    await linking.getByText(`Connected +${phone}`, { exact: true }).waitFor();
    await linking.getByText('Default for WhatsApp').waitFor();
    await checkAxe(linking);

    await linking.getByRole('button', { name: 'Unlink' }).click();
    await linking.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
    await linking.getByRole('button', { name: 'Show a QR code' }).waitFor();
    await linking.getByText('Phone not linked').waitFor();
  });

  test('a phone is linked by a code that is typed there; canceling ends it', async () => {
    await linking.getByRole('button', { name: 'Link with a code instead' }).click();
    await inputOf(linking, 'Phone number').fill('12');
    await linking.getByRole('button', { name: 'Get a code' }).click();
    await linking
      .getByText(/possible phone number|phone number/i)
      .first()
      .waitFor();
    await inputOf(linking, 'Phone number').fill(`+1 555 000 7002`);
    await linking.getByRole('button', { name: 'Get a code' }).click();
    const shown = linking.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    await shown.waitFor();
    await linking.getByRole('button', { name: 'Cancel' }).click();
    await linking.getByRole('button', { name: 'Link with a code instead' }).click();
    await inputOf(linking, 'Phone number').fill(`+1 555 000 7002`);
    await linking.getByRole('button', { name: 'Get a code' }).click();
    await shown.waitFor();
    const code = ((await shown.textContent()) ?? '').replace('-', '');
    await world.peers['whatsapp-web']!.tell('POST', '/enter-code', { code, phone: '15550007002' });
    await linking.getByText('Connected +15550007002', { exact: true }).waitFor();
  });

  async function accounts(provider: string): Promise<Account[]> {
    const all = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
    return all.filter((one) => one.provider === provider);
  }

  /** The drawing of the QR code on the screen. */
  function drawing(): Locator {
    return linking.getByRole('img', { name: 'QR code that links a phone' }).locator('path');
  }

  /** Resolves to whether another one comes in its place, with nobody touching anything. */
  async function anotherIsDrawn(): Promise<boolean> {
    const drawn = (await drawing().getAttribute('d')) ?? '';
    const other = linking.locator(`svg[role=img] path:not([d="${drawn}"])`);
    return other.waitFor({ state: 'attached', timeout: renewalWithinMs }).then(
      () => true,
      () => false,
    );
  }
});
