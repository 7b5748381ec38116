import type { Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { type Inbox, openInbox } from './page/inbox.ts';
import { inputOf } from './page/input-of.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

interface Listed {
  readonly data: readonly object[];
}

const jonas = '+4915112340022';
const lena = '+4915112340024';

/** Enough of a file to tell its type. */
const pdf = Buffer.from('%PDF-1.7\n');
const mebibyte = 1_048_576;

describeInBrowser('one conversation', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  let inbox: Inbox;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    inbox = await openInbox(tenant, page);
    await inbox.write(jonas, { text: 'Do you have rye bread?' });
    await page.goto('/conversations');
    await inbox.row(jonas).getByRole('link').click();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('files are shown or saved on request, and one that is gone says so', async () => {
    await inbox.write(jonas, { media: { type: 'image', caption: 'Like this' } });
    await inbox.write(jonas, { media: { type: 'document', filename: 'menu.pdf' } });
    expect(await inbox.thread().getByRole('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Show image' }).click();
    const image = inbox.thread().getByRole('img', { name: 'Image' });
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
    await inbox.write(jonas, { media: { type: 'document', filename: 'old.pdf' } });
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
    await inbox.thread().getByText('bread.png').waitFor();

    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Template' }).click();
    await page.locator('[role=listbox]').getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Use sample values' }).click();
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await inbox
      .thread()
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
    await inbox.thread().getByText('The new list').waitFor();
    const [sent] = (await tenant.ask<Listed>('GET', '/v1/messages')).data;
    expect(sent).toMatchObject({
      body: { type: 'document', url: null, fileId: expect.stringMatching(/^file_/), filename: 'list.pdf' },
    });
  });

  test('buttons are composed with a preview, and shown as the contact sees them', async () => {
    await inbox.write(lena, { text: 'When do you come?' });
    await inbox.row(lena).getByRole('link').click();
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
    const bubble = inbox.thread().getByRole('article', { name: /^You: Shall we come/ });
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
    await inbox.write(lena, { text: 'Which days do you have?' }, 'sms');
    // Lena wrote on WhatsApp too, and a list that is filtered here shows both until the answer comes.
    await page.goto('/conversations?channel=sms');
    await inbox.row(lena).getByRole('link').click();
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
    await inbox.thread().getByText('Reply 2 for Tuesday').waitFor();
    await inbox.thread().getByText('Delivered', { exact: true }).waitFor();
    const pressed = await inbox.write(lena, { text: '2' }, 'sms');
    await inbox.thread().getByText('Answered with “2”').waitFor();
    await inbox.thread().getByText('Pressed: Tuesday').waitFor();
    await checkAxeInBothSchemes(page);
    await page.goto(`/messages/${pressed}`);
    await page.getByText('Answered with', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Which day? [Choose a day]' }).click();
    await page.getByRole('heading', { level: 2, name: 'Buttons or list' }).waitFor();
    await page.getByText('Sent as a text: the account has no buttons').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('a contact who opted out is told above the thread, and the opt-out can be lifted there', async () => {
    await page.goto('/conversations');
    await inbox.row(jonas).getByRole('link').click();
    await inbox.write(jonas, { text: 'STOP' });
    const told = page.getByText('This contact opted out: do not message them');
    await told.waitFor();
    await page.getByText('The recipient sent STOP or a word like it').waitFor();
    await page.getByText('You cannot write to this contact: they opted out.').waitFor();
    expect(await inbox.reply().isDisabled()).toBe(true);
    for (const name of ['Send', 'Template', 'File'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Reply to/ }).count()).toBe(0);
    await inbox.row(jonas).getByText('Opted out', { exact: true }).waitFor();
    const send = {
      channel: 'whatsapp',
      channelAccountId: inbox.sandbox('whatsapp'),
      to: jonas,
      text: 'One more thing',
    };
    await tenant.ask('POST', '/v1/messages', send);
    await inbox.thread().getByText('Failed: recipient-opted-out').waitFor();
    await inbox.row(jonas).getByText('Failed · You: One more thing').waitFor();
    await checkAxeInBothSchemes(page);

    await page.getByRole('button', { name: 'They asked for messages again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Opt in', exact: true }).click();
    await dialog.getByText('Say how they asked for messages.').waitFor();
    await checkAxeInBothSchemes(page);
    await inputOf(dialog, 'How did they ask?').fill('By telephone, ticket 4711');
    await dialog.getByRole('button', { name: 'Opt in', exact: true }).click();
    await told.waitFor({ state: 'detached' });
    await inbox.reply().fill('Welcome back');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await inbox.row(jonas).getByText('You: Welcome back').waitFor();
    const path = `/v1/consent/${inbox.sandbox('whatsapp')}/${encodeURIComponent(jonas)}`;
    expect(await tenant.ask('GET', path)).toMatchObject({
      history: [{ status: 'opted-in', note: 'By telephone, ticket 4711' }, { status: 'opted-out' }],
    });
  });
});
