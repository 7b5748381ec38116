import type { Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { startVerification } from './screens/life.ts';
import { overflowOf } from './page/overflow.ts';
import { selectAtOnce } from './page/select-at-once.ts';
import { untilCount } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('verifications', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('figures by prefix show, limits are saved, and a hold is released', async () => {
    await page.goto('/verifications');
    await page.getByText('No verifications in this period.').waitFor();
    await page.getByText('No verifications yet').waitFor();
    await page.getByText('0 blocks all countries except the prefixes you add.').waitFor();
    await checkAxeInBothSchemes(page);
    const at = new Date(Date.now() + 3_600_000);
    await world.db
      .insertInto('verification_counts')
      .values({
        tenant_id: tenant.id.replace('ten_', ''),
        prefix: '+49',
        hour: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000),
        starts: 40,
        checked: 2,
        checks: 3,
        approved: 1,
        refused: 7,
      })
      .execute();
    await world.db
      .insertInto('verification_limits')
      .values({
        tenant_id: tenant.id.replace('ten_', ''),
        prefix: '+49',
        starts_per_hour: null,
        held_until: at,
        holds: 1,
      })
      .execute();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: '+49' });
    await row.getByText('2 (5%)').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Release +49' }).click();
    await page.getByText('+49 released.').waitFor();
    await page.getByLabel('Per hour to each prefix', { exact: true }).fill('50');
    await page.getByRole('button', { name: 'Add a prefix' }).click();
    await page.getByRole('textbox', { name: 'Prefix', exact: true }).last().fill('+999');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Must be a country code, such as +49').waitFor();
    await page.getByRole('textbox', { name: 'Prefix', exact: true }).last().fill('+44');
    await page.getByRole('textbox', { name: 'Per hour', exact: true }).last().fill('0');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved.').waitFor();
    const stored = await world.db
      .selectFrom('verification_limits')
      .select(['prefix', 'starts_per_hour', 'held_until'])
      .where('tenant_id', '=', tenant.id.replace('ten_', ''))
      .orderBy('prefix')
      .execute();
    expect(stored).toEqual([
      { prefix: '', starts_per_hour: 50, held_until: null },
      { prefix: '+44', starts_per_hour: 0, held_until: null },
      { prefix: '+49', starts_per_hour: null, held_until: null },
    ]);
  });

  test('a verification is found by its recipient, with its messages, and from its messages', async () => {
    const own = await world.registerTenant();
    const mine = await world.newPage({ tenant: own });
    // The sandbox refuses the first for good.
    const [refused, sent] = ['+14155550001', '+14155550111'] as const;
    const id = await startVerification(world, own, refused);
    await startVerification(world, own, sent);
    await mine.goto('/verifications');
    const table = mine.getByRole('table', { name: 'Verifications', exact: true });
    await table.getByRole('row').nth(2).waitFor();
    await mine.getByRole('searchbox', { name: 'Recipient' }).fill('+1 (415) 555-0001');
    await mine.getByRole('button', { name: 'Search' }).click();
    await table.getByRole('link', { name: sent, exact: true }).waitFor({ state: 'detached' });
    const row = table.getByRole('row').filter({ hasText: refused });
    await row.getByText('No attempts, 5 left').waitFor();
    await row.getByText('Pending', { exact: true }).waitFor();
    await mine.getByLabel('Status', { exact: true }).selectOption('Approved');
    await mine.getByText('No matching verifications').waitFor();
    await selectAtOnce(mine, { Status: 'pending', Time: '1h' });
    await mine.waitForURL(({ search }) => search.includes('status=pending') && search.includes('span=1h'));
    await row.waitFor();
    const filtered = new URL(mine.url()).search;
    await checkAxeInBothSchemes(mine);

    await row.getByRole('link', { name: refused, exact: true }).click();
    await mine.getByRole('heading', { level: 1, name: `Verification of ${refused}` }).waitFor();
    await mine.waitForURL(({ pathname }) => pathname === `/verifications/${id}`);
    const story = mine.getByRole('list', { name: 'Routes' });
    await story.getByText('Failed', { exact: true }).waitFor();
    await checkAxeInBothSchemes(mine);
    for (const width of [360, 1024]) {
      await mine.setViewportSize({ width, height: 860 });
      expect(await overflowOf(mine)).toBeLessThanOrEqual(0);
    }
    await story.getByRole('link', { name: 'View message' }).click();
    await mine.getByRole('heading', { level: 1, name: `To ${refused}` }).waitFor();
    await mine.getByRole('link', { name: 'View verification' }).click();
    await mine.getByRole('heading', { level: 1, name: `Verification of ${refused}` }).waitFor();
    await mine.getByRole('link', { name: 'View group' }).click();
    await mine.getByRole('heading', { level: 1, name: `Group to ${refused}` }).waitFor();
    await mine.getByRole('link', { name: 'Back to verification' }).waitFor();

    await mine.goto(`/verifications${filtered}`);
    await row.getByRole('link', { name: `Messages to ${refused}` }).click();
    await mine.getByRole('heading', { level: 1, name: `Group to ${refused}` }).waitFor();
    await mine.goto(`/verifications/ver_${crypto.randomUUID()}`);
    await mine.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  test('a group is found by a recipient and its status, with its messages, and from its messages', async () => {
    const own = await world.registerTenant();
    const mine = await world.newPage({ tenant: own });
    await mine.goto('/overview');
    await mine.getByRole('navigation').getByRole('link', { name: 'Fallback groups' }).click();
    await mine.getByText('No fallback groups yet').waitFor();
    await checkAxeInBothSchemes(mine);
    const [refused, sent] = ['+14155550001', '+14155550111'] as const;
    const send = (...to: readonly string[]) =>
      own.ask<{ id: string }>('POST', '/v1/groups', {
        routes: to.map((one) => ({ channel: 'sms', to: one, text: 'Your table is ready.' })),
      });
    const { id } = await send(refused, sent);
    await send(refused);
    await mine.reload();
    const table = mine.getByRole('table', { name: 'Fallback groups' });
    await table.getByRole('row').nth(2).waitFor();
    await table.getByText('Failed', { exact: true }).waitFor();
    await mine.getByRole('searchbox', { name: 'Recipient' }).fill(sent);
    await mine.getByRole('button', { name: 'Search' }).click();
    await mine.getByLabel('Status', { exact: true }).selectOption('Delivered');
    const row = table.getByRole('row').filter({ hasText: `${refused}, ${sent}` });
    await row.getByText('Delivered', { exact: true }).waitFor();
    await untilCount(table.getByRole('row'), 2);
    await checkAxeInBothSchemes(mine);
    await mine.waitForURL(
      ({ searchParams }) => searchParams.has('status') && searchParams.get('to') === sent,
    );
    const filtered = mine.url();

    await row.getByRole('link').click();
    await mine.getByRole('heading', { level: 1, name: `Group to ${refused}` }).waitFor();
    await mine.waitForURL(({ pathname }) => pathname === `/groups/${id}`);
    const shown = mine.getByRole('list', { name: 'Routes' }).getByRole('listitem');
    await shown.nth(1).getByText('Delivered', { exact: true }).waitFor();
    await checkAxeInBothSchemes(mine);
    for (const width of [360, 1024]) {
      await mine.setViewportSize({ width, height: 860 });
      expect(await overflowOf(mine)).toBeLessThanOrEqual(0);
    }
    await mine.getByRole('link', { name: 'Back to groups' }).click();
    await mine.waitForURL(filtered);
    await row.getByRole('link').click();
    await shown.nth(1).getByRole('link', { name: 'View message' }).click();
    await mine.getByRole('heading', { level: 1, name: `To ${sent}` }).waitFor();
    await mine.getByRole('link', { name: 'View group' }).click();
    await mine.getByRole('heading', { level: 1, name: `Group to ${refused}` }).waitFor();
  });
});
