import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { untilCount, untilSearch } from './page/settled.ts';
import { openWorld, type World } from './world/world.ts';

/** A hang bound: figures are counted every 5 s, and axe takes its time beside other suites. */
const testWithinMs = 90_000;

describeInBrowser('the overview', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('shows what became of messages, why some failed, and leads to them', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/overview');
    await page.getByText('No failures in this period.').waitFor();
    await page.getByText('No messages in this period.').waitFor();
    await page.getByText('The chart is empty').waitFor();
    await page.getByText(/^Times are in Europe\/Berlin \(GMT\+[12]\)\.$/).waitFor();
    await tenant.ask('POST', '/v1/webhooks', { url: `${world.receiver.url}/hook`, description: 'Orders' });
    for (const to of ['+14155550100', '+14155550101', '+14155550001'])
      await tenant.ask('POST', '/v1/messages', { channel: 'sms', to, text: 'Hello' });

    // The page keeps itself up to date.
    const failure = page.getByRole('link', { name: 'recipient-rejected' });
    await failure.waitFor({ timeout: testWithinMs });
    await page.getByText(`${world.receiver.url}/hook`).waitFor();
    await page.getByRole('row', { name: /^SMS 3 66\.7%/ }).waitFor({ timeout: testWithinMs });
    await page.getByText('View as table').click();
    await untilCount(page.getByRole('row', { name: / 3 2 0 0 1$/ }), 1);
    await checkAxeInBothSchemes(page);
    // Beside the first steps no column is empty: the health of the webhooks is below them.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('complementary', { name: 'Get started' }).waitFor();
    const [steps, webhooks] = await Promise.all([
      page.getByRole('complementary', { name: 'Get started' }).boundingBox(),
      page.getByRole('region', { name: 'Webhooks' }).boundingBox(),
    ]);
    expect([webhooks!.x, webhooks!.y > steps!.y]).toEqual([steps!.x, true]);
    await page.setViewportSize({ width: 1280, height: 860 });
    // What is wrong comes first, and leads to its page.
    world.receiver.behave({ status: 410 });
    await tenant.ask('POST', '/v1/messages', { channel: 'telegram', to: '123456789', text: 'Hello' });
    const problems = page.getByRole('group', { name: 'Needs attention' });
    await problems.getByText('Webhook Orders was disabled by Notify.').waitFor({ timeout: testWithinMs });
    await problems.getByRole('link', { name: 'Orders' }).waitFor();
    await page.getByText('Disabled by Notify', { exact: true }).waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByText('30 days', { exact: true }).click();
    await page.getByText(/^Daily/).waitFor();
    await page.getByText('Times are in UTC.').waitFor();
    await untilSearch(page, '?period=30d');
    await page.setViewportSize({ width: 360, height: 740 });
    await checkAxe(page);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });

    await failure.click();
    const list = page.getByRole('table', { name: 'Messages' });
    await list.getByText('+14155550001').waitFor();
    await untilCount(list.getByRole('row'), 2);
  });

  test('another tenant sees none of it', async () => {
    const page = await world.newPage({ tenant: await world.registerTenant('Stranger') });
    await page.goto('/overview');
    await page.getByText('No failures in this period.').waitFor();
    const shown = (await page.getByRole('main').textContent()) ?? '';
    expect(shown.includes(world.receiver.url)).toBe(false);
    expect(shown).toContain('No webhooks yet.');
  });
});
