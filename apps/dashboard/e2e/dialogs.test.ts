import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

interface Dialog {
  readonly path: string;
  /** The button that opens it. */
  readonly opener: string;
  /** The item of the menu that the button opens; without it the button opens the dialog. */
  readonly item?: string;
  /** The name of what has the focus then. */
  readonly starts: string;
}

describeInBrowser('dialogs', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let paths: Readonly<Record<'message' | 'webhook' | 'account', string>>;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    paths = await makeThings(tenant, `${world.receiver.url}/hook`);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('each starts on its first field, and gives the focus back to what opened it', async () => {
    for (const dialog of dialogsOf(paths)) {
      const { path, item, starts } = dialog;
      if (new URL(page.url()).pathname !== path) await page.goto(path);
      const opener = await open(dialog);
      const what = `${path} ${item ?? dialog.opener}`;
      await focused(byName(starts), `${what} does not start on ${starts}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focused(opener, `${what} does not give the focus back`);
    }
  });

  test('a question above a dialog closes alone, and then the focus is where it was', async () => {
    await page.goto('/keys');
    const opener = await open({ path: '/keys', opener: 'Create a key', starts: 'Name' });
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByLabel('Name', { exact: true }).fill('shop');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor({ state: 'detached' });
    await focused(form.getByLabel('Name', { exact: true }), 'the form has lost the focus');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(opener, 'the focus is lost');
  });

  test('after two dialogs, the focus returns to what opened the first', async () => {
    const opener = await open({ path: '/keys', opener: 'Create a key', starts: 'Name' });
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('billing');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('dialog', { name: 'API key “billing”' });
    await secret.getByRole('button', { name: 'Copy the key' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(opener, 'the focus is lost');
  });

  test('where a change has removed what opened the dialog, the heading of the page has the focus', async () => {
    await page.getByRole('button', { name: 'Revoke billing' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).press('Enter');
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
  });

  test('the buttons of one that is higher than the window are in sight', async () => {
    await page.setViewportSize({ width: 1024, height: 480 });
    for (const [path, opener, submit] of [
      ['/webhooks', 'Add a webhook', 'Add'],
      ['/keys', 'Create a key', 'Create'],
      ['/tokens', 'Create a token', 'Create'],
      ['/messages', 'Send test message', 'Send'],
    ] as const) {
      await page.goto(path);
      await open({ path, opener, starts: '' });
      const button = page.getByRole('dialog').getByRole('button', { name: submit, exact: true });
      await button.waitFor();
      const { y, height } = (await button.boundingBox())!;
      expect([path, y >= 0 && y + height <= 480]).toEqual([path, true]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('from 1024 to 1280 px, no value of a message or a template column is squeezed', async () => {
    for (const width of [1024, 1100, 1152, 1199, 1200, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await page.goto(paths.message);
      const values = page.getByRole('region', { name: 'Details' }).getByRole('definition');
      await values.first().waitFor();
      const boxes = await Promise.all((await values.all()).map((one) => one.boundingBox()));
      const least = Math.min(...boxes.map((box) => box!.width));
      expect([width, least >= 150 ? 'wide' : least]).toEqual([width, 'wide']);
      // The ID is one line, cut off where it has no room.
      const id = await values.getByTitle(/^msg_/).boundingBox();
      expect([width, id!.height < 24]).toEqual([width, true]);
      expect([width, await overflowOf(page)]).toEqual([width, 0]);
      await page.goto('/messages');
      const text = page.getByRole('cell').filter({ hasText: 'For later' });
      expect([width, (await text.boundingBox())!.width > 150]).toEqual([width, true]);
      expect([width, await overflowOf(page)]).toEqual([width, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  /** Opens a dialog by the keyboard; what opened it. */
  async function open({ opener: name, item }: Dialog): Promise<Locator> {
    const opener = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    await opener.press('Enter');
    if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter');
    await page.getByRole('dialog').waitFor();
    return opener;
  }

  function byName(name: string): Locator {
    const dialog = page.getByRole('dialog');
    return dialog.getByLabel(name, { exact: true }).or(dialog.getByRole('button', { name, exact: true }));
  }
});

/** Waits until it has the focus. Throws with the message if it does not get it. */
async function focused(found: Locator, otherwise: string): Promise<void> {
  await found
    .and(found.page().locator(':focus'))
    .waitFor({ timeout: 20_000 })
    .catch((error: unknown) => {
      throw new Error(otherwise, { cause: error });
    });
}

/** One of everything that a dialog is about; where each is. */
async function makeThings(tenant: Tenant, url: string) {
  const [account] = await tenant.ask<{ id: string }[]>('GET', '/v1/channel-accounts');
  const webhook = await tenant.ask<{ id: string }>('POST', '/v1/webhooks', { url, description: 'Orders' });
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const message = await tenant.ask<{ id: string }>('POST', '/v1/messages', {
    channel: 'sms',
    to: '+14155550100',
    text: 'For later',
    sendAt,
  });
  await tenant.ask('POST', '/tenant/api-keys', { name: 'Web shop' });
  await tenant.ask('POST', '/tenant/service-tokens', { name: 'Report', scopes: ['usage:read'] });
  return {
    message: `/messages/${message.id}`,
    webhook: `/webhooks/${webhook.id}`,
    account: `/channels/${account!.id}`,
  };
}

/** Every dialog that a button or a menu opens. */
function dialogsOf(paths: Readonly<Record<'message' | 'webhook' | 'account', string>>): readonly Dialog[] {
  const more = { path: paths.webhook, opener: 'More actions' };
  return [
    { path: '/messages', opener: 'Send test message', starts: 'Account' },
    { path: paths.message, opener: 'Reschedule', starts: 'Send at' },
    { path: paths.message, opener: 'Cancel', starts: 'Keep sending' },
    { path: '/keys', opener: 'Create a key', starts: 'Name' },
    { path: '/keys', opener: 'Revoke Web shop', starts: 'Cancel' },
    { path: '/tokens', opener: 'Create a token', starts: 'Name' },
    { path: '/tokens', opener: 'Revoke Report', starts: 'Cancel' },
    { path: '/webhooks', opener: 'Add a webhook', starts: 'URL' },
    { path: paths.webhook, opener: 'Replay', starts: 'Replay from' },
    { ...more, item: 'Edit…', starts: 'URL' },
    { ...more, item: 'Rotate secret…', starts: 'Cancel' },
    { ...more, item: 'Disable…', starts: 'Cancel' },
    { ...more, item: 'Remove…', starts: 'Cancel' },
    { path: `${paths.account}/consent`, opener: 'Record consent', starts: 'Recipient' },
    { path: '/conversations', opener: 'Simulate an inbound message', starts: 'Account' },
    { path: '/settings', opener: 'Delete tenant…', starts: 'Your password' },
  ];
}
