import type { Page } from 'playwright-core';
import { checkAxeInBothSchemes } from './axe.ts';
import { describeInBrowser } from './in-browser.ts';
import type { Tenant } from './tenant.ts';
import { openWorld, type World } from './world.ts';

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
    await row.getByText('2 (5 %)').waitFor();
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Release +49' }).click();
    await page.getByText('+49 released.').waitFor();
    await page.getByLabel('Per hour to each prefix').fill('50');
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
});
