import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { untilCount, untilSearch } from './page/settled.ts';
import { addTemplate, letSync, type Listed, sandboxTemplates, setSync } from './page/template-rows.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
}

describeInBrowser('templates', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;
  /** The sandbox on WhatsApp. */
  let id: string;

  beforeAll(async () => {
    world = await openWorld({ peers: ['whatsapp-cloud'] });
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    const accounts = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
    id = accounts.find(({ channel }) => channel === 'whatsapp')!.id;
    await letSync(tenant, id);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world?.checkGuards());

  test('an account leads to its templates, and a template to how it looks and is sent', async () => {
    const [first] = await sandboxTemplates(tenant, id);
    await page.goto(`/channels/${id}`);
    await page.getByText(/^2 templates, all approved · Last synced:/).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('link', { name: 'View templates' }).click();
    const list = page.getByRole('table', { name: 'Templates' });
    await list.getByRole('row').nth(2).waitFor();
    await checkAxeInBothSchemes(page);
    await list
      .getByRole('link', { name: titleOf(first!) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: titleOf(first!) }).waitFor();
    await page.getByRole('group', { name: 'Preview' }).waitFor();
    await page.getByText('/v1/notify/whatsapp/template').waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('a template is filled, previewed as it is typed, sent, and read in the message and the list', async () => {
    await addTemplate(world.db, id, 'order_shipped', shipped);
    await page.goto(`/channels/${id}/templates/order_shipped/en_US`);
    await page.getByRole('button', { name: 'Send test message' }).click();
    const form = page.getByRole('dialog');
    const preview = form.getByRole('group', { name: 'Preview' });
    await preview.getByText('Thank you, Ada! Order A-7 left.').waitFor();
    await form.getByText('Highlighted values are samples.').waitFor();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('Enter a recipient.').waitFor();
    await untilCount(form.getByText('Required', { exact: true }), 4);
    await checkAxeInBothSchemes(page);

    await form.getByLabel('Recipient', { exact: true }).fill('+1 (415) 555-0100');
    await form.getByRole('button', { name: 'Use sample values' }).click();
    await form.getByLabel('Document URL', { exact: true }).fill('https://example.com/bills/May.pdf');
    await form.getByLabel('Variable 1', { exact: true }).fill('Grace');
    await preview.getByText('Thank you, Grace! Order A-7 left.').waitFor();
    await preview.getByText('May.pdf').waitFor();
    expect(await form.getByText('Highlighted values are samples.').isVisible()).toBe(false);
    await form.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('heading', { level: 1, name: 'To +14155550100' }).waitFor();
    const content = page.getByRole('region', { name: 'Template' });
    await content.getByText('Thank you, *Grace*! Order A-7 left.').waitFor();
    await content.getByText('https://example.com/bills/May.pdf').waitFor();
    await content.getByText('en_US · American English').waitFor();
    await checkAxeInBothSchemes(page);
    await page.goto('/messages');
    await page
      .getByRole('table', { name: 'Messages' })
      .getByText(/^order_shipped \(en_US\): Thank you/)
      .waitFor();
  });

  test('what the api says of a parameter stands at its field, which gets the focus', async () => {
    await page.goto(`/channels/${id}/templates/order_shipped/en_US`);
    await page.getByRole('button', { name: 'Send test message' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Recipient', { exact: true }).fill('+14155550100');
    await form.getByRole('button', { name: 'Use sample values' }).click();
    await form.getByLabel('Document URL', { exact: true }).fill('https://example.com/bills/May.pdf');
    await form.getByLabel('Variable 2', { exact: true }).fill('A     7');
    await form.getByLabel('End of the URL of “Track”', { exact: true }).fill('a     7');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form
      .getByText(/more than four spaces/)
      .nth(1)
      .waitFor();
    expect(await form.getByLabel('Variable 2', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(
      await form.getByLabel('End of the URL of “Track”', { exact: true }).getAttribute('aria-invalid'),
    ).toBe('true');
    expect(await form.getByLabel('Variable 1', { exact: true }).getAttribute('aria-invalid')).not.toBe(
      'true',
    );
    await form.getByLabel('Variable 2', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await form.getByRole('alert').count()).toBe(0);
    await checkAxeInBothSchemes(page);
  });

  test('by keyboard alone a template is chosen, filled and sent', async () => {
    await page.goto('/messages');
    await page.getByRole('button', { name: 'Send test message' }).first().focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · WhatsApp');
    await form.getByLabel('Recipient', { exact: true }).focus();
    await page.keyboard.type('+14155550122');
    await page.keyboard.press('Tab');
    for (let kind = 0; kind < 3; kind += 1) await page.keyboard.press('ArrowRight');
    await form.getByRole('combobox', { name: 'Template' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('shipp');
    const option = page.getByRole('option', { name: 'order_shipped' });
    await option.waitFor();
    // Escape closes the options only.
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'hidden' });
    expect(await form.isVisible()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await form.getByLabel('Language', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await form.getByLabel('Document URL', { exact: true }).focus();
    await page.keyboard.type('https://example.com/a.pdf');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'To +14155550122' }).waitFor();
  });

  test('a template that cannot be sent says why and what to do, and is no choice', async () => {
    await addTemplate(world.db, id, 'winter_sale', { status: 'rejected', reason: 'INCORRECT_CATEGORY' });
    await addTemplate(world.db, id, 'reminder', { status: 'paused' });
    await page.goto(`/channels/${id}/templates`);
    const list = page.getByRole('table', { name: 'Templates' });
    await list.getByText('INCORRECT_CATEGORY').waitFor();
    await list.getByRole('link', { name: 'winter_sale' }).click();
    await page.getByText('Reason from the provider: INCORRECT_CATEGORY').waitFor();
    await page.getByText(/submit it again/).waitFor();
    expect(await page.getByRole('button', { name: 'Send test message' }).isVisible()).toBe(false);
    await checkAxeInBothSchemes(page);
    await page.goto('/messages');
    await page.getByRole('button', { name: 'Send test message' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · WhatsApp');
    await form.getByText('Template', { exact: true }).click();
    await form.getByRole('combobox', { name: 'Template' }).click();
    const paused = page.getByRole('option', { name: 'reminder · Paused' });
    await paused.waitFor();
    expect(await paused.getAttribute('data-combobox-disabled')).toBe('true');
    await checkAxe(page);
  });

  test('among hundreds, a search and a status find some, and survive the way back', async () => {
    for (let count = 0; count < 600; count += 1)
      await addTemplate(world.db, id, `bulk_${count}`, {
        language: count % 2 === 0 ? 'de' : 'en_US',
        status: count % 10 === 0 ? 'pending' : 'approved',
      });
    await page.goto(`/channels/${id}/templates`);
    await page.getByText('605 templates', { exact: true }).waitFor();
    const list = page.getByRole('table', { name: 'Templates' });
    // Only rows near the window are in the page.
    expect(await list.getByRole('row').count()).toBeLessThan(60);
    await page.getByLabel('Search by name or language', { exact: true }).fill('bulk_59 DE');
    await page.getByText('5 of 605 templates').waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('Pending (60)');
    await page.getByText('1 of 605 templates').waitFor();
    await untilSearch(page, '?search=bulk_59+DE&status=pending');
    await list.getByRole('link', { name: 'bulk_590' }).click();
    await page.getByText('Waiting for approval').waitFor();
    await page.getByRole('link', { name: 'Back to templates' }).click();
    await page.getByText('1 of 605 templates').waitFor();
    await page.getByLabel('Search by name or language', { exact: true }).fill('nothing like it');
    await page.getByText('No matching templates').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('605 templates', { exact: true }).waitFor();
    await sql`delete from account_templates where name like 'bulk_%'`.execute(world.db);
  });

  test('an old list says so, a failed sync says why, and a sync by hand cures both', async () => {
    await setSync(world.db, id, { agoMinutes: 90, failure: null });
    await page.goto(`/channels/${id}/templates`);
    await page.getByText('The templates may be outdated').waitFor();
    await setSync(world.db, id, { agoMinutes: 90, failure: 'No permission to read templates' });
    await page.reload();
    await page.getByText('No permission to read templates').waitFor();
    await page.getByText(/Until then Notify does not check templates/).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('link', { name: 'Open the settings' }).click();
    await page.getByText('No permission to read templates').waitFor();
    await page.getByRole('link', { name: 'View templates' }).click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText(/^Last synced: just now$/).waitFor();
    await untilCount(page.getByText('No permission to read templates'), 0);
  });

  test('an account without templates says where to make some; a list that cannot be read can be tried again', async () => {
    const accounts = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
    const sms = accounts.find(({ channel }) => channel === 'sms')!.id;
    await letSync(tenant, sms);
    await sql`delete from account_templates where account_id = ${sms}::uuid`.execute(world.db);
    await page.goto(`/channels/${sms}/templates`);
    await page.getByText('No templates yet').waitFor();
    await checkAxeInBothSchemes(page);

    const refuse = {
      type: 'about:blank',
      title: 'Not today',
      status: 400,
      code: 'internal',
      requestId: 'r',
    };
    await page.route('**/templates?*', (route) => route.fulfill({ status: 400, json: refuse }));
    await page.goto(`/channels/${id}/templates`);
    await page.getByText('Could not load the templates').waitFor();
    await page.unroute('**/templates?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Templates' }).waitFor();
  });

  test('a WhatsApp number lists its templates once it knows its business account, and says what to do about a paused one', async () => {
    const peer = world.peers['whatsapp-cloud']!;
    const { businessAccountId, ...withoutIt } = peer.settings;
    const body = { provider: 'whatsapp-cloud', name: 'Shop', settings: withoutIt };
    const shop = await tenant.ask<Account>('POST', '/v1/channel-accounts', body);
    await page.goto(`/channels/${shop.id}`);
    await page.getByText('Templates are not listed').waitFor();
    await checkAxe(page);
    await page.getByLabel('WhatsApp Business account ID', { exact: true }).fill(String(businessAccountId));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The account works.').waitFor();
    await page.getByText(/^4 templates, all approved/).waitFor();
    const components = [{ type: 'BODY', text: 'Your order has been shipped.' }];
    const paused = {
      name: 'order_shipped',
      language: 'en',
      status: 'PAUSED',
      category: 'UTILITY',
      components,
    };
    await peer.tell('POST', '/templates', [paused]);
    await page.getByRole('link', { name: 'View templates' }).click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    const row = page.getByRole('row').filter({ hasText: 'order_shipped' });
    await row.getByText('Paused').waitFor();
    await row.getByRole('link').click();
    await page.getByText(/3 hours, then for 6 hours/).waitFor();
  });

  test('a provider without templates shows none of this', async () => {
    const settings = { profile: 'kannel', url: 'http://127.0.0.1:9/', username: 'a', password: 'b' };
    const body = { provider: 'http-sms', name: 'Gateway', settings, verify: false };
    const gateway = await tenant.ask<Account>('POST', '/v1/channel-accounts', body);
    await page.goto(`/channels/${gateway.id}`);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Templates' }).count()).toBe(0);
    await page.goto(`/channels/${gateway.id}/templates`);
    await page.getByText('This provider has no templates').waitFor();
    await page.goto('/messages');
    await page.getByRole('button', { name: 'Send test message' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Gateway · SMS');
    await form.getByRole('textbox', { name: 'Text' }).waitFor();
    expect(await form.getByRole('radio', { name: 'Template' }).count()).toBe(0);
  });

  test('a file is sent by hand', async () => {
    await page.goto('/messages');
    await page.getByRole('button', { name: 'Send test message' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Account', { exact: true }).selectOption('Sandbox · WhatsApp');
    await form.getByText('Media', { exact: true }).click();
    await form.getByLabel('Type', { exact: true }).selectOption('Document');
    await form.getByLabel('Recipient', { exact: true }).fill('+14155550111');
    await form.getByText('By URL').click();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('Enter an http or https URL.').waitFor();
    await form.getByLabel('File URL', { exact: true }).fill('https://example.com/bill.pdf');
    await form.getByLabel('File name', { exact: true }).fill('May.pdf');
    await form.getByLabel('Caption', { exact: true }).fill('Your bill');
    await checkAxeInBothSchemes(page);
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'To +14155550111' }).waitFor();
    await page.getByText('Your bill', { exact: true }).waitFor();
    await page.getByText('May.pdf', { exact: true }).waitFor();
  });

  test('nobody is kept out, in both colour schemes and on a small screen', async () => {
    const looked = await world.newPage({ tenant, width: 360 });
    const path = `/channels/${id}/templates`;
    await addTemplate(
      world.db,
      id,
      'a_name_without_any_space_that_is_as_long_as_names_of_templates_get_to_be',
      {
        reason: 'a_reason_without_any_space_that_is_as_long_as_they_come_in_practice',
      },
    );
    for (const one of [path, `${path}/order_shipped/en_US`, `${path}/winter_sale/en_US`]) {
      await looked.goto(one);
      await looked
        .getByText(/^(INCORRECT_CATEGORY|Highlighted values|Reason from)/)
        .first()
        .waitFor();
      await checkAxeInBothSchemes(looked);
      expect([one, await overflowOf(looked)]).toEqual([one, 0]);
    }
    await looked.goto(`${path}/order_shipped/en_US`);
    await looked.getByRole('button', { name: 'Send test message' }).click();
    await looked.getByRole('dialog').getByLabel('Variable 1', { exact: true }).waitFor();
    await checkAxeInBothSchemes(looked);
    expect(await overflowOf(looked)).toBe(0);
    await looked.close();
  });
});

const shipped = {
  header: { kind: 'document', example: null },
  body: {
    text: 'Thank you, *{{1}}*! Order {{2}} left.',
    variables: [
      { name: '1', example: 'Ada' },
      { name: '2', example: 'A-7' },
    ],
  },
  footer: 'Corner Bakery',
  buttons: [
    { kind: 'quick-reply', text: 'Thanks' },
    { kind: 'url', text: 'Track', url: 'https://example.com/{{1}}', variable: { name: '1', example: 'a-7' } },
  ],
} as const;

function titleOf({ name, label }: Listed): string {
  return label ?? name;
}
