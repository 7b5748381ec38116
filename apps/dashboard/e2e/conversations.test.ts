import type { Locator, Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { inputOf } from './page/input-of.ts';
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

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
}

const mia = '+4915112340021';
const anna = '+4915112340023';
const jonas = '+4915112340022';
const lena = '+4915112340024';

/** As much as tells its type. */
const pdf = Buffer.from('%PDF-1.7\n');
const mebibyte = 1_048_576;

describeInBrowser('conversations', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let accounts: Account[];

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    accounts = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
    page = await world.newPage({ tenant });
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
    await row(mia).getByText('When do you open tomorrow?').waitFor();
    await row(mia).getByText('1 unread message').waitFor();
    await page.getByRole('link', { name: /^Conversations 1 unread/ }).waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('opening a conversation marks it as read, and a reply is followed to the reader', async () => {
    await row(mia).getByRole('link').click();
    await thread().getByText('When do you open tomorrow?').waitFor();
    await thread().getByRole('group', { name: 'Today' }).waitFor();
    await row(mia).getByText('1 unread message').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Conversations', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Enter a text.').waitFor();
    await reply().fill('At seven.');
    await page.keyboard.press('Control+Enter');
    await thread().getByText('At seven.').waitFor();
    await thread().getByText('Read', { exact: true }).waitFor();
    expect(await reply().inputValue()).toBe('');
    await row(mia).getByText('You: At seven.').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('what comes is shown at once: in the thread that is open, and as unread elsewhere', async () => {
    await write(mia, { text: 'Thank you!' });
    await thread().getByText('Thank you!').waitFor();
    await row(mia).getByText('Thank you!').waitFor();
    await row(mia)
      .getByText(/unread/)
      .waitFor({ state: 'detached' });
    await write(jonas, { text: 'Do you have rye bread?' });
    await write(jonas, { text: 'Two of them.' });
    await row(jonas).getByText('2 unread messages').waitFor();
    await page.getByRole('link', { name: /^Conversations 1 unread/ }).waitFor();
    const names = await list().getByRole('link').allTextContents();
    expect(names).toEqual([jonas, mia]);
  });

  test('a reader can choose that the contact sees reading and typing', async () => {
    const choice = page.getByRole('checkbox', { name: 'Show the contact when you read and type' });
    expect(await choice.isChecked()).toBe(false);
    await choice.check();
    const read = page.waitForResponse((response) => response.url().endsWith('/read'));
    await write(mia, { text: 'Are you there?' });
    expect(await (await read).json()).toMatchObject({ delivered: true });
    const typing = page.waitForResponse((response) => response.url().endsWith('/typing'));
    await reply().fill('One moment');
    expect(await (await typing).json()).toEqual({ delivered: true });
    await reply().fill('');
    await checkAxeInBothSchemes(page);
    await choice.uncheck();
  });

  test('a reply quotes a message, and the quote leads to it', async () => {
    await row(jonas).getByRole('link').click();
    await thread().getByText('Two of them.').waitFor();
    await page.getByRole('button', { name: 'Reply to: Do you have rye bread?' }).click();
    await page.getByText('Replying to: Do you have rye bread?').waitFor();
    await reply().and(page.locator(':focus')).waitFor();
    await reply().fill('Yes, fresh.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = thread().getByRole('article', { name: 'You: Yes, fresh.' });
    await answer.getByRole('button', { name: /Do you have rye bread/ }).click();
    const quoted = thread().getByRole('article', { name: `${jonas}: Do you have rye bread?`, exact: true });
    await quoted.and(page.locator(':focus')).waitFor();
    await page.getByText('Replying to:').waitFor({ state: 'detached' });
    const [sent] = (await tenant.ask<Listed>('GET', '/v1/messages')).data;
    expect(sent).toMatchObject({ body: { text: 'Yes, fresh.' }, replyTo: expect.stringMatching(/^msg_/) });
  });

  test('files are shown or saved on request, and one that is gone says so', async () => {
    await write(jonas, { media: { type: 'image', caption: 'Like this' } });
    await write(jonas, { media: { type: 'document', filename: 'menu.pdf' } });
    expect(await thread().getByRole('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Show image' }).click();
    const image = thread().getByRole('img', { name: 'Image' });
    await image.waitFor();
    const decoded = 'document.querySelector("[role=log] img").decode().then(() => true)';
    expect(await page.evaluate(decoded)).toBe(true);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download menu.pdf' }).click();
    expect((await download).suggestedFilename()).toBe('menu.pdf');
    await checkAxeInBothSchemes(page);

    await page.route('**/media', (route) =>
      route.fulfill({
        status: 410,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 410, title: 'Gone', code: 'media-expired', requestId: 'req' }),
      }),
    );
    await write(jonas, { media: { type: 'document', filename: 'old.pdf' } });
    await page.getByRole('button', { name: 'Download old.pdf' }).click();
    await page.getByText('No longer available from the provider.').waitFor();
    expect(await page.getByRole('button', { name: 'Download old.pdf' }).count()).toBe(0);
    await page.unroute('**/media');
  });

  test('a file is sent by its URL, and a template from the dialog that sends one elsewhere', async () => {
    await page.getByRole('button', { name: 'File', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('By URL').click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Enter an http or https URL.').waitFor();
    await dialog.getByLabel('File URL', { exact: true }).fill('https://example.com/bread.png');
    await dialog.getByLabel('Caption', { exact: true }).fill('Rye');
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await thread().getByText('bread.png').waitFor();

    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Template' }).click();
    await page.locator('[role=listbox]').getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Use sample values' }).click();
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await thread()
      .getByText(/^Template /)
      .waitFor();
  });

  test('a file of the device is uploaded and sent, and a refusal keeps what was typed and names the limit', async () => {
    await page.getByRole('button', { name: 'File', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    const choose = (name: string, mimeType: string, buffer: Buffer): Promise<void> =>
      dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await send.click();
    await dialog.getByText('Choose a file.').waitFor();
    await checkAxeInBothSchemes(page);
    await dialog.getByLabel('Caption', { exact: true }).fill('The new list');
    await choose('list.png', 'image/png', Buffer.alloc(5 * mebibyte + 1));
    await send.click();
    await dialog.getByText('An image may have at most 5 MB. This file has 5.1 MB.').waitFor();
    // The browser believes the name of a file, and the api its bytes.
    await choose('list.png', 'image/png', pdf);
    await send.click();
    await dialog.getByText('Says image/png, but the file is application/pdf').waitFor();
    await dialog.getByLabel('Type', { exact: true }).selectOption('Document');
    await choose('list.pdf', 'application/pdf', Buffer.concat([pdf, Buffer.alloc(16 * mebibyte)]));
    await send.click();
    await dialog.getByText('A document may have at most 16 MB. This file has 16.1 MB.').waitFor();
    await page.route('**/v1/files', (route) => route.abort('connectionrefused'));
    await choose('list.pdf', 'application/pdf', pdf);
    await send.click();
    await dialog.getByText('Cannot reach Notify.').waitFor();
    await checkAxeInBothSchemes(page);
    await page.unroute('**/v1/files');
    expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('The new list');
    await dialog.getByText('list.pdf').waitFor();
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await thread().getByText('The new list').waitFor();
    const [sent] = (await tenant.ask<Listed>('GET', '/v1/messages')).data;
    expect(sent).toMatchObject({
      body: { type: 'document', url: null, fileId: expect.stringMatching(/^file_/), filename: 'list.pdf' },
    });
  });

  test('filters are part of the address and of the way back', async () => {
    await write('582131360', { text: 'Hi bot' }, 'telegram');
    await page.goto('/conversations');
    await row('582131360').waitFor();
    await page.getByLabel('Channel', { exact: true }).selectOption('Telegram');
    await row(mia).waitFor({ state: 'detached' });
    await untilSearch(page, '?channel=telegram');
    await row('582131360').getByRole('link').click();
    await thread().getByText('Hi bot').waitFor();
    await untilSearch(page, '?channel=telegram');
    await page.getByLabel('Channel', { exact: true }).selectOption('SMS');
    await page.getByText('No matching conversations').waitFor();
    await page.goto(`/conversations?account=${sandbox('whatsapp')}`);
    await row(mia).waitFor();
    expect(await row('582131360').count()).toBe(0);
  });

  test('a contact is found by a part of the number, and unread ones are listed alone', async () => {
    await page.goto('/conversations');
    await page.getByLabel('Search by contact', { exact: true }).fill('2340022');
    await row(mia).waitFor({ state: 'detached' });
    await row(jonas).waitFor();
    await untilSearch(page, '?search=2340022');
    await page.getByLabel('Search by contact', { exact: true }).fill('+49 1511 2340021');
    await row(mia).waitFor();
    await row(jonas).waitFor({ state: 'detached' });
    await page.getByLabel('Search by contact', { exact: true }).fill('');
    await row(jonas).waitFor();
    await write('582131361', { text: 'Read me' }, 'telegram');
    // The box follows the address, a moment after the click.
    await page.getByLabel('Unread only', { exact: true }).click();
    await row(mia).waitFor({ state: 'detached' });
    await row('582131361').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByLabel('Unread only', { exact: true }).click();
    await row(mia).waitFor();
  });

  test('buttons are composed with a preview, and shown as the contact sees them', async () => {
    await write(lena, { text: 'When do you come?' });
    await row(lena).getByRole('link').click();
    await page.getByRole('button', { name: 'Buttons or list' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await dialog.getByText('Enter a text.').waitFor();
    await dialog.getByText('Enter a title.').waitFor();
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Shall we come on *Monday*?');
    await dialog.getByLabel('Title', { exact: true }).fill('x'.repeat(21));
    await dialog.getByText('21 of 20 characters').waitFor();
    await dialog.getByText('At most 20 characters.').waitFor();
    await checkAxeInBothSchemes(page);
    await dialog.getByLabel('Title', { exact: true }).fill('Yes, please');
    await dialog.getByRole('button', { name: 'Add a button' }).click();
    // The focus is on the new title.
    await page.keyboard.type('No');
    const preview = dialog.getByRole('group', { name: 'Preview', exact: true });
    await preview.getByRole('listitem').getByText('No', { exact: true }).waitFor();
    expect(await preview.getByRole('listitem').allTextContents()).toEqual(['Yes, please', 'No']);
    await preview.locator('strong', { hasText: 'Monday' }).waitFor();
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    const bubble = thread().getByRole('article', { name: /^You: Shall we come/ });
    const buttons = bubble.getByRole('list', { name: 'Buttons' }).getByRole('listitem');
    await buttons.nth(1).waitFor();
    expect(await buttons.allTextContents()).toEqual(['Yes, please', 'No']);
    const [sent] = (await tenant.ask<Listed>('GET', '/v1/messages')).data;
    expect(sent).toMatchObject({
      type: 'interactive',
      body: {
        interactive: {
          buttons: [
            { id: 'yes-please', title: 'Yes, please' },
            { id: 'no', title: 'No' },
          ],
        },
      },
    });
  });

  test('an account without buttons sends a list as a numbered text, and a number is shown as the press', async () => {
    await write(lena, { text: 'Which days do you have?' }, 'sms');
    // Lena wrote on WhatsApp too, and a list that is filtered here shows both until the answer comes.
    await page.goto('/conversations?channel=sms');
    await row(lena).getByRole('link').click();
    await page.getByRole('button', { name: 'Buttons or list' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    await dialog.getByText('This account cannot send buttons or lists').waitFor();
    await dialog.getByText('List', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Which day?');
    await dialog.getByLabel('Button that opens the list', { exact: true }).fill('Choose a day');
    await dialog.getByLabel('Title', { exact: true }).fill('Monday');
    await dialog.getByRole('button', { name: 'Add a row to section 1' }).click();
    await page.keyboard.type('Tuesday');
    await send.click();
    await dialog.getByText('This account has no buttons. Choose this, or another account.').waitFor();
    await checkAxeInBothSchemes(page);
    await dialog.getByLabel('Send as a numbered text where there are no buttons', { exact: true }).check();
    await dialog
      .getByRole('group', { name: 'Preview as a numbered text' })
      .getByText('Reply 2 for Tuesday')
      .waitFor();
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await thread().getByText('Reply 2 for Tuesday').waitFor();
    await thread().getByText('Delivered', { exact: true }).waitFor();
    const pressed = await write(lena, { text: '2' }, 'sms');
    await thread().getByText('Answered with “2”').waitFor();
    await thread().getByText('Pressed: Tuesday').waitFor();
    await checkAxeInBothSchemes(page);
    await page.goto(`/messages/${pressed}`);
    await page.getByText('Answered with', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Which day? [Choose a day]' }).click();
    await page.getByRole('heading', { level: 2, name: 'Buttons or list' }).waitFor();
    await page.getByText('Sent as a text: the account has no buttons').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('with the keyboard alone a conversation is opened and answered', async () => {
    await page.goto('/conversations');
    await row(mia).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await thread().getByText('Thank you!').waitFor();
    await page.locator('#contact:focus', { hasText: mia }).waitFor();
    for (let presses = 0; !(await isOn('Reply')); presses += 1) {
      if (presses > 40) throw new Error('no way to the reply by the Tab key');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('See you');
    await page.keyboard.press('Enter');
    await page.keyboard.type('tomorrow');
    await page.keyboard.press('Control+Enter');
    await thread().getByText('See you tomorrow').waitFor();
    expect(await isOn('Reply')).toBe(true);
  });

  test('older messages are read on the way up, and nothing moves meanwhile', async () => {
    const count = 70;
    for (let number = 0; number < count; number += 1) await write(anna, { text: `number ${number}.` });
    await page.goto('/conversations');
    await row(anna).getByText(`${count} unread messages`).waitFor();
    await row(anna).getByRole('link').click();
    await thread().getByText('number 69.').waitFor();
    const box = (await thread().boundingBox())!;
    const last = (await thread().getByText('number 69.').boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(box.y + box.height);
    expect(await thread().getByText('number 5.', { exact: true }).count()).toBe(0);
    await page.mouse.move(box.x + 50, box.y + 50);
    const first = thread().getByText('number 5.', { exact: true });
    while ((await first.count()) === 0) {
      await page.mouse.wheel(0, -600);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    const read = thread().getByText('number 15.', { exact: true });
    await read.scrollIntoViewIfNeeded();
    const before = await read.boundingBox();
    await write(anna, { text: 'the newest' });
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect(await read.boundingBox()).toEqual(before);
    await row(anna).getByText('1 unread message').waitFor();
    await page.getByRole('button', { name: '1 new message' }).click();
    await row(anna).getByText('1 unread message').waitFor({ state: 'detached' });
  });

  test('a contact who opted out is told above the thread, and the opt-out can be lifted there', async () => {
    await page.goto('/conversations');
    await row(mia).getByRole('link').click();
    await write(mia, { text: 'STOP' });
    const told = page.getByText('This contact opted out: do not message them');
    await told.waitFor();
    await page.getByText('The recipient sent STOP or a word like it').waitFor();
    await page.getByText('You cannot write to this contact: they opted out.').waitFor();
    expect(await reply().isDisabled()).toBe(true);
    for (const name of ['Send', 'Template', 'File'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Reply to/ }).count()).toBe(0);
    await row(mia).getByText('Opted out', { exact: true }).waitFor();
    const send = {
      channel: 'whatsapp',
      channelAccountId: sandbox('whatsapp'),
      to: mia,
      text: 'One more thing',
    };
    await tenant.ask('POST', '/v1/messages', send);
    await thread().getByText('Failed: recipient-opted-out').waitFor();
    await row(mia).getByText('Failed · You: One more thing').waitFor();
    await checkAxeInBothSchemes(page);

    await page.getByRole('button', { name: 'They asked for messages again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Opt in', exact: true }).click();
    await dialog.getByText('Say how they asked for messages.').waitFor();
    await checkAxeInBothSchemes(page);
    await inputOf(dialog, 'How did they ask?').fill('By telephone, ticket 4711');
    await dialog.getByRole('button', { name: 'Opt in', exact: true }).click();
    await told.waitFor({ state: 'detached' });
    await reply().fill('Welcome back');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await row(mia).getByText('You: Welcome back').waitFor();
    const path = `/v1/consent/${sandbox('whatsapp')}/${encodeURIComponent(mia)}`;
    expect(await tenant.ask('GET', path)).toMatchObject({
      history: [{ status: 'opted-in', note: 'By telephone, ticket 4711' }, { status: 'opted-out' }],
    });
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
    await write('+4915112340077', { text: 'Is anybody there?' });
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

  /** The list of conversations. */
  function list(): Locator {
    return page.getByRole('list', { name: 'Conversations' });
  }

  /** The messages of the open conversation. */
  function thread(): Locator {
    return page.getByRole('log');
  }

  function reply(): Locator {
    return page.getByLabel('Reply', { exact: true });
  }

  /** Whether the focus is on the element of that name. */
  async function isOn(name: string): Promise<boolean> {
    return (await page.evaluate('document.activeElement.getAttribute("aria-label")')) === name;
  }

  /** A conversation in the list. */
  function row(contact: string): Locator {
    return list().getByRole('listitem').filter({ hasText: contact });
  }

  /** The sandbox account of a channel. */
  function sandbox(channel: string): string {
    return accounts.find((one) => one.channel === channel && one.provider === 'sandbox')!.id;
  }

  /** Has a person write to a sandbox account; the message's id. */
  async function write(from: string, body: object, channel = 'whatsapp'): Promise<string> {
    const path = `/v1/channel-accounts/${sandbox(channel)}/simulate-inbound`;
    return (await tenant.ask<{ messageId: string }>('POST', path, { from, ...body })).messageId;
  }
});
