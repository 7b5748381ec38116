import type { Page } from 'playwright-core';
import { checkAxe } from './axe.ts';
import { describeInBrowser } from './in-browser.ts';
import type { Tenant } from './tenant.ts';
import { openWorld, type World } from './world.ts';

const hourMs = 3_600_000;

interface Account {
  readonly id: string;
  readonly settings: { readonly quietHours?: object };
}

/** The time by UTC at the beginning of this hour, so many hours later. */
function clockIn(hours: number): string {
  return new Date(Date.now() + hours * hourMs).toISOString().slice(11, 13) + ':00';
}

describeInBrowser('quiet hours', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let account: Account;

  beforeAll(async () => {
    world = await openWorld({ peers: ['twilio'] });
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    const { settings } = world.peers.twilio!;
    account = await tenant.ask('POST', '/v1/channel-accounts', {
      provider: 'twilio',
      name: 'Shop SMS',
      settings,
    });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world?.checkGuards());

  const stored = async () =>
    (await tenant.ask<Account>('GET', `/v1/channel-accounts/${account.id}`)).settings.quietHours;
  async function save(): Promise<void> {
    // Leaves the field: its list of zones may cover the button.
    await page.keyboard.press('Tab');
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await answered).status()).toBe(200);
    await page.getByText('Saved. The account works.').last().waitFor();
  }

  test('are set by the clock of a place or of the recipient, and removed', async () => {
    await page.goto(`/channels/${account.id}`);
    await page.getByRole('button', { name: 'More settings' }).click();
    const hours = page.getByRole('group', { name: 'Quiet hours' });
    await hours.getByLabel('From').fill('22:00');
    await hours.getByLabel('To', { exact: false }).first().fill('22:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await hours.getByText('Time zone is required.').waitFor();
    await hours.getByLabel('Zone', { exact: true }).fill('Europe/Atlantis');
    await page.getByRole('button', { name: 'Save' }).click();
    await hours.getByText(/must be a time zone of the IANA database/).waitFor();
    await hours.getByText(/must not be the same time as/).waitFor();
    await checkAxe(page);
    await hours.getByLabel('To', { exact: false }).first().fill('08:00');
    await hours.getByLabel('Zone', { exact: true }).fill('Europe/Berlin');
    await save();
    expect(await stored()).toEqual({ from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' });

    await page.reload();
    await page.getByRole('button', { name: 'More settings' }).click();
    await hours.getByLabel('Time zone').selectOption('That of the recipient, by phone number');
    await hours.getByLabel('Zone of other recipients').fill('UTC');
    await save();
    expect(await stored()).toEqual({
      from: '22:00',
      to: '08:00',
      timeZone: { recipient: true, fallback: 'UTC' },
    });

    for (const label of ['From', 'To', 'Zone of other recipients'])
      await hours.getByLabel(label, { exact: false }).first().fill('');
    await save();
    expect(await stored()).toBeUndefined();
  });

  test('hold a message up, which says until when; an urgent one is sent', async () => {
    const quietHours = { from: clockIn(-2), to: clockIn(3), timeZone: 'UTC' };
    await tenant.ask('PATCH', `/v1/channel-accounts/${account.id}`, { settings: { quietHours } });
    for (const urgent of [false, true]) {
      await page.goto('/messages');
      await page.getByRole('button', { name: 'Send test message' }).first().click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Account').selectOption('Sandbox · SMS');
      expect(await form.getByLabel('Urgent').count()).toBe(0);
      await form.getByLabel('Account').selectOption(account.id);
      await form.getByLabel('Recipient').fill(urgent ? '+14155550112' : '+14155550111');
      if (urgent) await form.getByRole('switch', { name: 'Urgent' }).check();
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      if (urgent) {
        await page.getByText('Yes, sent even in quiet hours').waitFor();
        await page
          .getByText(/^(Sent|Delivered)$/)
          .first()
          .waitFor();
      } else {
        await page.getByRole('paragraph').filter({ hasText: 'Its account has quiet hours now' }).waitFor();
        await page.getByText('Next attempt', { exact: true }).waitFor();
      }
      await checkAxe(page);
    }
  });
});
