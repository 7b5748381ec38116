import type { Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { inputOf } from './page/input-of.ts';
import { overflowOf } from './page/overflow.ts';
import { readQr } from './page/qr-picture.ts';
import { untilSearch } from './page/settled.ts';
import { letSync } from './page/template-rows.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

const chat = 58_213;

interface Account {
  readonly id: string;
  readonly callbackUrl: string | null;
}

interface Written {
  readonly messageId: number;
}

describeInBrowser('accounts that receive', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let bot: Account;

  beforeAll(async () => {
    world = await openWorld({ peers: ['telegram-bot', 'whatsapp-cloud'], env: { PUBLIC_URL: publicUrl } });
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    await world.peers['telegram-bot']!.tell('POST', '/route', { from: publicUrl, to: world.url });
    bot = await connect('telegram-bot', 'Shop bot');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a pairing link is made, scanned from the screen, and says who used it', async () => {
    await page.goto(`/channels/${bot.id}`);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a reference.').waitFor();
    await page.getByLabel('Reference', { exact: true }).fill('customer-4711');
    await page.getByRole('button', { name: 'Create link' }).click();
    const code = page.getByRole('img', { name: 'QR code of the pairing link' });
    await code.waitFor();
    await page.getByText('Waiting for someone to open it…').waitFor();
    await code.scrollIntoViewIfNeeded();
    const link = (await readQr(page)) ?? '';
    expect(link).toMatch(/^https:\/\/t\.me\/\w+\?start=[\w-]+$/);
    expect(await page.getByRole('group', { name: 'Pairing link' }).textContent()).toBe(link);
    await checkAxeInBothSchemes(page);
    await telegram('/start', { chat, payload: new URL(link).searchParams.get('start') });
    await page.getByText('Paired', { exact: true }).waitFor();
    await page.getByText(`The chat ID is ${chat}.`).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('link', { name: 'View conversations', exact: true }).first().click();
    await page.getByRole('listitem').filter({ hasText: 'Paired' }).getByRole('link').click();
    await page.getByText('No messages yet.').waitFor();
  });

  test('a conversation on Telegram: reactions are part of their message, replies quote, the unknown is named', async () => {
    const thread = page.getByRole('log');
    await page.getByLabel('Reply', { exact: true }).fill('Welcome!');
    await page.keyboard.press('Control+Enter');
    const welcome = thread.getByRole('article', { name: 'You: Welcome!' });
    await welcome.getByText('Sent', { exact: true }).waitFor();
    const [sent] = (await tenant.ask<{ data: { externalId: string }[] }>('GET', '/v1/messages')).data;
    const messageId = Number(sent!.externalId.split(':').at(-1));
    await telegram('/react', { chat, messageId, emoji: '👍' });
    await welcome.getByRole('list', { name: 'Reactions' }).getByText('👍').waitFor();
    await telegram('/write', { chat, text: 'Thanks!', replyTo: messageId });
    const answer = thread.getByRole('article', { name: /: Thanks!$/ });
    await answer.getByRole('button', { name: /Welcome!/ }).waitFor();
    const { messageId: written } = await telegram<Written>('/write', { chat, text: 'Too soon' });
    await telegram('/edit', { chat, messageId: written, text: 'Later' });
    await thread.getByText('Edited a message').waitFor();
    await telegram('/react', { chat, messageId, emoji: null });
    await welcome.getByRole('list', { name: 'Reactions' }).waitFor({ state: 'detached' });
    await checkAxeInBothSchemes(page);
  });

  test('who blocks the bot is listed as opted out at once; consent is recorded, searched, changed and removed', async () => {
    await page.goto(`/channels/${bot.id}`);
    await page.getByRole('link', { name: 'View consent' }).click();
    await page.getByText('No consent recorded yet').waitFor();
    await checkAxeInBothSchemes(page);
    await telegram('/block', chat);
    const recipients = page.getByRole('list', { name: 'Recipients' });
    const row = recipients.getByRole('listitem').filter({ hasText: String(chat) });
    await row.getByText('Opted out').waitFor();
    await row.getByText(/Reported by the provider/).waitFor();
    expect(await row.getByRole('button', { name: /^Remove/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Record consent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await dialog.getByText('Enter a recipient.').waitFor();
    await dialog.getByLabel('Recipient', { exact: true }).fill('777');
    await dialog.getByLabel('Status', { exact: true }).selectOption('Opted in');
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await dialog.getByText('Say how they asked for messages.').waitFor();
    await inputOf(dialog, 'How did they ask?').fill('At the counter');
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    const other = recipients.getByRole('listitem').filter({ hasText: '777' });
    await other.getByText('Opted in').waitFor();
    await checkAxeInBothSchemes(page);

    await page.getByRole('textbox', { name: 'Recipient' }).or(page.getByRole('searchbox')).fill('777');
    await page.getByRole('button', { name: 'Search' }).click();
    await row.waitFor({ state: 'detached' });
    await untilSearch(page, '?recipient=777');
    await page.getByRole('button', { name: 'Opt out 777' }).click();
    await dialog.getByRole('button', { name: 'Opt out', exact: true }).click();
    await other.getByText('Opted out').waitFor();
    await page.getByRole('button', { name: 'History of 777' }).click();
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.nth(1).waitFor();
    expect(await changes.allTextContents()).toEqual([
      expect.stringMatching(/^Opted out · By you or your program/),
      expect.stringMatching(/^Opted in · By you or your program.*At the counter/),
    ]);
    await checkAxeInBothSchemes(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove 777' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No matching recipients').waitFor();
  });

  test('the words that opt out are part of the settings', async () => {
    const [sandbox] = await tenant
      .ask<(Account & { channel: string; provider: string })[]>('GET', '/v1/channel-accounts')
      .then((all) => all.filter(({ channel, provider }) => channel === 'sms' && provider === 'sandbox'));
    await page.goto(`/channels/${sandbox!.id}`);
    await page.getByRole('button', { name: 'More settings' }).click();
    const words = page.getByRole('combobox', { name: 'Opt-out words' });
    await words.fill('ALTO');
    await words.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved/).waitFor();
    await simulate(sandbox!.id, 'alto!');
    await page.getByRole('link', { name: 'View consent' }).click();
    await page.getByText(/The recipient sent STOP or a word like it/).waitFor();
  });

  test('inside the window of WhatsApp free text is sent, outside a template only, and the page says why', async () => {
    const peer = world.peers['whatsapp-cloud']!;
    const shop = await connect('whatsapp-cloud', 'Shop number');
    await letSync(tenant, shop.id);
    const callbackUrl = shop.callbackUrl!.replace(publicUrl, world.url);
    await peer.tell('POST', '/subscribe', { callbackUrl, verifyToken: 'any' });
    await peer.tell('POST', '/call', inboundText(String(peer.settings.phoneNumberId), 'Is my cake ready?'));
    await page.goto(`/conversations?account=${shop.id}`);
    await page.getByRole('list', { name: 'Conversations' }).getByText('Mia').click();
    await page.getByText('Is my cake ready?').last().waitFor();
    await page.getByText('Free text for 23 h 59 min').waitFor();
    await page.getByLabel('Reply', { exact: true }).waitFor();
    await checkAxeInBothSchemes(page);

    await world.db
      .updateTable('conversations')
      .set({ last_inbound_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('account_id', '=', shop.id)
      .execute();
    await page.reload();
    await page.getByText('The 24-hour window is closed').waitFor();
    expect(await page.getByLabel('Reply', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'File', exact: true }).count()).toBe(0);
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Choose a template' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Template' }).click();
    await page.locator('[role=listbox]').getByRole('option').first().click();
    const samples = dialog.getByRole('button', { name: 'Use sample values' });
    if (await samples.isVisible()) await samples.click();
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('log')
      .getByText(/^Template /)
      .waitFor();
  });

  test('a slowed conversation says so, and so does the page of its account', async () => {
    const { account_id: id } = await world.db
      .updateTable('conversations')
      .set({ slow_until: new Date(Date.now() + 600_000) })
      .where('account_id', '=', bot.id)
      .returning('account_id')
      .executeTakeFirstOrThrow();
    await page.goto(`/channels/${id}`);
    await page.getByText('Slowed down: reply loop').waitFor();
    await checkAxeInBothSchemes(page);
    await page.goto(`/conversations?account=${id}`);
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.getByText('Replies are slowed down').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('nothing is cut off on a small screen, nor is anybody kept out, in both colour schemes', async () => {
    const small = await world.newPage({ tenant, width: 360 });
    await small.goto(`/channels/${bot.id}/consent`);
    await small.getByRole('list', { name: 'Recipients' }).waitFor();
    await checkAxeInBothSchemes(small);
    expect(await overflowOf(small)).toBe(0);
    await small.goto(`/channels/${bot.id}`);
    await small.getByLabel('Reference', { exact: true }).fill('customer-9');
    await small.getByRole('button', { name: 'Create link' }).click();
    await small.getByRole('img', { name: 'QR code of the pairing link' }).waitFor();
    await checkAxeInBothSchemes(small);
    expect(await overflowOf(small)).toBe(0);
    await small.close();
  });

  test('a webhook can be asked to receive the events of people', async () => {
    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).first().click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('message.received', { exact: true }).isChecked()).toBe(false);
    await form.getByLabel('URL', { exact: true }).fill(`${world.receiver.url}/people`);
    await form.getByLabel('message.received', { exact: true }).check();
    await form.getByLabel('contact.opted-out', { exact: true }).check();
    await checkAxeInBothSchemes(page);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog', { name: 'Signing secret' }).waitFor();
    const [webhook] = await tenant.ask<{ events: string[] }[]>('GET', '/v1/webhooks');
    expect(webhook!.events).toHaveLength(7);
    const received = world.receiver.next(({ body }) => body.includes('"message.received"'));
    await telegram('/unblock', chat);
    await telegram('/write', { chat, text: 'I am back' });
    const { body } = await received;
    expect(JSON.parse(body.toString())).toMatchObject({ body: { text: 'I am back' }, from: String(chat) });
  });

  /** Connects an account of a provider's peer. */
  async function connect(provider: 'telegram-bot' | 'whatsapp-cloud', name: string): Promise<Account> {
    const { settings } = world.peers[provider]!;
    return tenant.ask<Account>('POST', '/v1/channel-accounts', { provider, name, settings });
  }

  /** Has a person do something in Telegram. */
  async function telegram<Answer = unknown>(path: string, body: unknown): Promise<Answer> {
    return (await world.peers['telegram-bot']!.tell('POST', path, body as object)) as Answer;
  }

  async function simulate(accountId: string, text: string): Promise<void> {
    const body = { from: '+4915112340031', text };
    await tenant.ask('POST', `/v1/channel-accounts/${accountId}/simulate-inbound`, body);
  }
});

const publicUrl = 'https://notify.example';

/** What Meta posts when somebody writes a text. */
function inboundText(phoneNumberId: string, text: string): object {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
    contacts: [{ profile: { name: 'Mia' }, wa_id: '4915112340041' }],
    messages: [
      {
        from: '4915112340041',
        id: 'wamid.HBgNNDkxNTExMjM0MDA0MRUCABIY',
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'text',
        text: { body: text },
      },
    ],
  };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ field: 'messages', value }] }],
  };
}
