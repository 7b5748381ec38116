import type { Page } from 'playwright-core';
import { checkAxe } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { inputOf } from './page/input-of.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

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

  test('are set by the clock of a place or of the recipient, and removed', async () => {
    await page.goto(`/channels/${account.id}`);
    const section = page.getByRole('region', { name: 'Quiet hours' });
    const dialog = page.getByRole('dialog');
    async function save(): Promise<void> {
      // Leaves the field: its list of zones may cover the button.
      await page.keyboard.press('Tab');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await section.getByText('None: messages are sent at any time.').waitFor();
    await section.getByRole('button', { name: 'Set quiet hours' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('From is required.').waitFor();
    await inputOf(dialog, 'From').fill('22:00');
    await inputOf(dialog, 'To').fill('22:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Time zone is required.').waitFor();
    await inputOf(dialog, 'Zone').fill('Europe/Atlantis');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be a time zone of the IANA database/).waitFor();
    await dialog.getByText(/must not be the same time as/).waitFor();
    await checkAxe(page);
    await inputOf(dialog, 'To').fill('08:00');
    await inputOf(dialog, 'Zone').fill('Europe/Berlin');
    await save();
    await section.getByText('From 22:00 to 08:00 on the next day, by the clock of Europe/Berlin.').waitFor();
    expect(await stored()).toEqual({ from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' });

    // What the other form saves leaves them alone.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop texts');
    await page.getByRole('button', { name: 'More settings' }).click();
    await inputOf(page, 'Messages per second').fill('5');
    expect(await inputOf(page, 'From').count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The account works.').last().waitFor();
    expect(await stored()).toEqual({ from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' });

    await page.reload();
    await section.getByRole('button', { name: 'Change' }).click();
    await inputOf(dialog, 'Time zone').selectOption('Each recipient’s own, by phone number');
    await inputOf(dialog, 'Zone of other recipients').fill('UTC');
    await save();
    expect(await stored()).toEqual({
      from: '22:00',
      to: '08:00',
      timeZone: { recipient: true, fallback: 'UTC' },
    });

    await section.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await section.getByText('None: messages are sent at any time.').waitFor();
    expect(await stored()).toBeUndefined();
  });

  test('hold a message up, which says until when; an urgent one is sent', async () => {
    const quietHours = { from: clockIn(-2), to: clockIn(3), timeZone: 'UTC' };
    await tenant.ask('PATCH', `/v1/channel-accounts/${account.id}`, { settings: { quietHours } });
    for (const urgent of [false, true]) {
      await page.goto('/messages');
      await page.getByRole('button', { name: 'Send test message' }).first().click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · SMS');
      expect(await form.getByLabel('Urgent', { exact: true }).count()).toBe(0);
      await form.getByLabel('Account', { exact: true }).selectOption(account.id);
      await form.getByLabel('Recipient', { exact: true }).fill(urgent ? '+14155550112' : '+14155550111');
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
