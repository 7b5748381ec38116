import type { Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { type Inbox, openInbox } from './page/inbox.ts';
import { overflowOf } from './page/overflow.ts';
import { answered, passSeconds } from './page/idle.ts';
import { untilSearch } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

/** How long a page takes to read all that it shows, and how long it is then watched. */
const settledSeconds = 3;
const idleSeconds = 30;

interface Listed {
  readonly data: readonly object[];
}

const mia = '+4915112340021';
const anna = '+4915112340023';
const jonas = '+4915112340022';

describeInBrowser('conversations', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let inbox: Inbox;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    inbox = await openInbox(tenant, page);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a newcomer simulates a message, and sees it come', async () => {
    await page.goto('/conversations');
    await page.getByText('No conversations yet').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Simulate an inbound message' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · WhatsApp');
    await form.getByLabel('From', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Simulate', exact: true }).click();
    await form.getByText('Enter an address.').waitFor();
    await form.getByLabel('From', { exact: true }).fill('12');
    await form.getByRole('button', { name: 'Simulate', exact: true }).click();
    await form
      .getByText(/phone number|E\.164/i)
      .first()
      .waitFor();
    await checkAxeInBothSchemes(page);
    await form.getByLabel('From', { exact: true }).fill('+49 1511 2340021');
    await form.getByRole('textbox', { name: 'Text' }).fill('When do you open tomorrow?');
    await form.getByRole('button', { name: 'Simulate', exact: true }).click();
    await inbox.row(mia).getByText('When do you open tomorrow?').waitFor();
    await inbox.row(mia).getByText('1 unread message').waitFor();
    await page.getByRole('link', { name: /^Conversations 1 unread/ }).waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('opening a conversation marks it as read, and a reply is followed to the reader', async () => {
    await inbox.row(mia).getByRole('link').click();
    await inbox.thread().getByText('When do you open tomorrow?').waitFor();
    await inbox.thread().getByRole('group', { name: 'Today' }).waitFor();
    await inbox.row(mia).getByText('1 unread message').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Conversations', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Enter a text.').waitFor();
    await inbox.reply().fill('At seven.');
    await page.keyboard.press('Control+Enter');
    await inbox.thread().getByText('At seven.').waitFor();
    await inbox.thread().getByText('Read', { exact: true }).waitFor();
    expect(await inbox.reply().inputValue()).toBe('');
    await inbox.row(mia).getByText('You: At seven.').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('what comes is shown at once: in the thread that is open, and as unread elsewhere', async () => {
    await inbox.write(mia, { text: 'Thank you!' });
    await inbox.thread().getByText('Thank you!').waitFor();
    await inbox.row(mia).getByText('Thank you!').waitFor();
    await inbox
      .row(mia)
      .getByText(/unread/)
      .waitFor({ state: 'detached' });
    await inbox.write(jonas, { text: 'Do you have rye bread?' });
    await inbox.write(jonas, { text: 'Two of them.' });
    await inbox.row(jonas).getByText('2 unread messages').waitFor();
    await page.getByRole('link', { name: /^Conversations 1 unread/ }).waitFor();
    const names = await inbox.list().getByRole('link').allTextContents();
    expect(names).toEqual([jonas, mia]);
  });

  test('a reader can choose that the contact sees reading and typing', async () => {
    const choice = page.getByRole('checkbox', { name: 'Show the contact when you read and type' });
    expect(await choice.isChecked()).toBe(false);
    await choice.check();
    const read = page.waitForResponse((response) => response.url().endsWith('/read'));
    await inbox.write(mia, { text: 'Are you there?' });
    expect(await (await read).json()).toMatchObject({ delivered: true });
    const typing = page.waitForResponse((response) => response.url().endsWith('/typing'));
    await inbox.reply().fill('One moment');
    expect(await (await typing).json()).toEqual({ delivered: true });
    await inbox.reply().fill('');
    await checkAxeInBothSchemes(page);
    await choice.uncheck();
  });

  test('a reply quotes a message, and the quote leads to it', async () => {
    await inbox.row(jonas).getByRole('link').click();
    await inbox.thread().getByText('Two of them.').waitFor();
    await page.getByRole('button', { name: 'Reply to: Do you have rye bread?' }).click();
    await page.getByText('Replying to: Do you have rye bread?').waitFor();
    await inbox.reply().and(page.locator(':focus')).waitFor();
    await inbox.reply().fill('Yes, fresh.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = inbox.thread().getByRole('article', { name: 'You: Yes, fresh.' });
    await answer.getByRole('button', { name: /Do you have rye bread/ }).click();
    const quoted = inbox
      .thread()
      .getByRole('article', { name: `${jonas}: Do you have rye bread?`, exact: true });
    await quoted.and(page.locator(':focus')).waitFor();
    await page.getByText('Replying to:').waitFor({ state: 'detached' });
    const [sent] = (await tenant.ask<Listed>('GET', '/v1/messages')).data;
    expect(sent).toMatchObject({ body: { text: 'Yes, fresh.' }, replyTo: expect.stringMatching(/^msg_/) });
  });

  test('filters are part of the address and of the way back', async () => {
    await inbox.write('582131360', { text: 'Hi bot' }, 'telegram');
    await page.goto('/conversations');
    await inbox.row('582131360').waitFor();
    await page.getByLabel('Channel', { exact: true }).selectOption('Telegram');
    await inbox.row(mia).waitFor({ state: 'detached' });
    await untilSearch(page, '?channel=telegram');
    await inbox.row('582131360').getByRole('link').click();
    await inbox.thread().getByText('Hi bot').waitFor();
    await untilSearch(page, '?channel=telegram');
    await page.getByLabel('Channel', { exact: true }).selectOption('SMS');
    await page.getByText('No matching conversations').waitFor();
    await page.goto(`/conversations?account=${inbox.sandbox('whatsapp')}`);
    await inbox.row(mia).waitFor();
    expect(await inbox.row('582131360').count()).toBe(0);
  });

  test('a contact is found by a part of the number, and unread ones are listed alone', async () => {
    await page.goto('/conversations');
    await page.getByLabel('Search by contact', { exact: true }).fill('2340022');
    await inbox.row(mia).waitFor({ state: 'detached' });
    await inbox.row(jonas).waitFor();
    await untilSearch(page, '?search=2340022');
    await page.getByLabel('Search by contact', { exact: true }).fill('+49 1511 2340021');
    await inbox.row(mia).waitFor();
    await inbox.row(jonas).waitFor({ state: 'detached' });
    await page.getByLabel('Search by contact', { exact: true }).fill('');
    await inbox.row(jonas).waitFor();
    await inbox.write('582131361', { text: 'Read me' }, 'telegram');
    // The box follows the address, a moment after the click.
    await page.getByLabel('Unread only', { exact: true }).click();
    await inbox.row(mia).waitFor({ state: 'detached' });
    await inbox.row('582131361').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByLabel('Unread only', { exact: true }).click();
    await inbox.row(mia).waitFor();
  });

  test('with the keyboard alone a conversation is opened and answered', async () => {
    await page.goto('/conversations');
    await inbox.row(mia).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await inbox.thread().getByText('Thank you!').waitFor();
    await page.locator('#contact:focus', { hasText: mia }).waitFor();
    for (let presses = 0; !(await isOn('Reply')); presses += 1) {
      if (presses > 40) throw new Error('no way to the reply by the Tab key');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('See you');
    await page.keyboard.press('Enter');
    await page.keyboard.type('tomorrow');
    await page.keyboard.press('Control+Enter');
    await inbox.thread().getByText('See you tomorrow').waitFor();
    expect(await isOn('Reply')).toBe(true);
  });

  test('older messages are read on the way up, and nothing moves meanwhile', async () => {
    const count = 70;
    for (let number = 0; number < count; number += 1) await inbox.write(anna, { text: `number ${number}.` });
    await page.goto('/conversations');
    await inbox.row(anna).getByText(`${count} unread messages`).waitFor();
    await inbox.row(anna).getByRole('link').click();
    await inbox.thread().getByText('number 69.').waitFor();
    const box = (await inbox.thread().boundingBox())!;
    const last = (await inbox.thread().getByText('number 69.').boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(box.y + box.height);
    expect(await inbox.thread().getByText('number 5.', { exact: true }).count()).toBe(0);
    await page.mouse.move(box.x + 50, box.y + 50);
    const first = inbox.thread().getByText('number 5.', { exact: true });
    while ((await first.count()) === 0) {
      await page.mouse.wheel(0, -600);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    const read = inbox.thread().getByText('number 15.', { exact: true });
    await read.scrollIntoViewIfNeeded();
    const before = await read.boundingBox();
    await inbox.write(anna, { text: 'the newest' });
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect(await read.boundingBox()).toEqual(before);
    await inbox.row(anna).getByText('1 unread message').waitFor();
    await page.getByRole('button', { name: '1 new message' }).click();
    await inbox.row(anna).getByText('1 unread message').waitFor({ state: 'detached' });
  });

  test('nothing is cut off on a small screen, nor is anybody kept out, in both colour schemes', async () => {
    const id = (await tenant.ask<{ data: { id: string }[] }>('GET', '/v1/conversations')).data[0]!.id;
    const small = await world.newPage({ tenant, width: 360 });
    await small.goto('/conversations');
    await small.getByRole('list', { name: 'Conversations' }).waitFor();
    await checkAxeInBothSchemes(small);
    expect(await overflowOf(small)).toBe(0);
    await small.goto(`/conversations/${id}`);
    await small.getByRole('log').getByRole('article').first().waitFor();
    expect(await small.getByRole('list', { name: 'Conversations' }).isVisible()).toBe(false);
    await checkAxeInBothSchemes(small);
    expect(await overflowOf(small)).toBe(0);
    await small.getByRole('link', { name: 'All conversations' }).click();
    await small.getByRole('list', { name: 'Conversations' }).waitFor();
    await small.close();
  });

  test('an idle page asks rarely, and not at all once it is logged out', async () => {
    const idle = await world.newPage({ tenant });
    const asked: string[] = [];
    idle.on('request', (request) => {
      if (!request.url().endsWith(answered)) asked.push(request.url());
    });
    const pass = (seconds: number) => passSeconds(idle, seconds);
    await idle.clock.install();
    await idle.goto('/conversations');
    await idle.getByRole('list', { name: 'Conversations' }).waitFor();
    await pass(settledSeconds);
    expect(asked.filter((url) => url.includes('/v1/events/stream'))).toHaveLength(1);
    asked.length = 0;
    await pass(idleSeconds);
    expect(asked.length).toBeLessThanOrEqual(3);
    await idle.getByRole('button', { name: /Acme/ }).click();
    await idle.getByRole('menuitem', { name: 'Log out' }).click();
    await idle.getByRole('heading', { name: 'Log in' }).waitFor();
    asked.length = 0;
    await pass(settledSeconds);
    expect(asked.filter((url) => url.includes('/v1/'))).toEqual([]);
    await idle.close();
  });

  test('without the stream the page polls', async () => {
    const polling = await world.newPage({ tenant });
    await polling.route('**/v1/events/stream*', (route) => route.fulfill({ status: 503, body: 'away' }));
    await polling.goto('/conversations');
    await polling.getByRole('list', { name: 'Conversations' }).waitFor();
    await inbox.write('+4915112340077', { text: 'Is anybody there?' });
    await polling.getByText('Is anybody there?').waitFor();
    await polling.close();
  });

  test('received messages are listed with the others, and have their own page', async () => {
    await page.goto('/messages');
    await page.getByLabel('Direction', { exact: true }).selectOption('Received');
    const table = page.getByRole('table', { name: 'Messages' });
    await table.getByText('number 69.').waitFor();
    expect(await page.getByLabel('Status', { exact: true }).count()).toBe(0);
    await page.getByLabel('Sender or message ID', { exact: true }).fill('+49 1511 2340022');
    await page.getByRole('button', { name: 'Search' }).click();
    await table.getByText('number 69.').waitFor({ state: 'detached' });
    await table.getByText('Do you have rye bread?').waitFor();
    expect(await table.getByText('Yes, fresh.').count()).toBe(0);
    await table
      .getByRole('row', { name: /Do you have rye bread/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { level: 1, name: `From ${jonas}` }).waitFor();
    await page.getByRole('list', { name: 'Timeline' }).getByText('Received', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0);
    await checkAxeInBothSchemes(page);
  });

  /** Whether the focus is on the element of that name. */
  async function isOn(name: string): Promise<boolean> {
    return (await page.evaluate('document.activeElement.getAttribute("aria-label")')) === name;
  }
});
