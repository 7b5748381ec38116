import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { keyRow, sendWith } from './page/key-rows.ts';
import { overflowOf } from './page/overflow.ts';
import { leaveSecret, shownSecret } from './page/secret.ts';
import { untilCount } from './page/settled.ts';
import type { Tenant } from './world/tenant.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('rotated API keys', () => {
  let world: World;
  let tenant: Tenant;
  let page: Page;

  beforeAll(async () => {
    world = await openWorld();
    tenant = await world.registerTenant();
    page = await world.newPage({ tenant });
    await page.goto('/keys');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('while a rotated key overlaps both work, and revoking ends the old one at once', async () => {
    const made = await tenant.ask<{ key: string }>('POST', '/tenant/api-keys', { name: 'shop' });
    await page.reload();
    await page.getByRole('button', { name: 'Rotate shop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Both keys work until/).waitFor();
    await dialog.getByLabel('It stops at once', { exact: true }).check();
    await dialog.getByText('Requests with the old key get 401').waitFor();
    await dialog.getByLabel('7 days', { exact: true }).check();
    await checkAxeInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    const newer = await shownSecret(page);
    expect(newer).not.toBe(made.key);
    await leaveSecret(page, 'key');
    for (const key of [made.key, newer]) expect((await sendWith(world, key)).status).toBe(202);

    const old = keyRow(page, 'shop').filter({ hasText: 'Replaced' });
    await old.getByText('works until').waitFor();
    expect(await old.textContent()).toContain(made.key.slice(-4));
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: `Revoke shop (…${made.key.slice(-4)})` }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await old.waitFor({ state: 'detached' });
    expect((await sendWith(world, made.key)).status).toBe(401);
    expect((await sendWith(world, newer)).status).toBe(202);
  });

  test('a key that is rotated without an overlap stops at once', async () => {
    const made = await tenant.ask<{ key: string }>('POST', '/tenant/api-keys', { name: 'leaked' });
    await page.reload();
    await page.getByRole('button', { name: 'Rotate leaked' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('It stops at once', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    const newer = await shownSecret(page);
    await leaveSecret(page, 'key');
    expect((await sendWith(world, made.key)).status).toBe(401);
    expect((await sendWith(world, newer)).status).toBe(202);
    await untilCount(keyRow(page, 'leaked'), 1);
  });

  test('the question fits on a small screen, and is answered with the keyboard alone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Rotate leaked' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('input[type=radio][value="86400"]:focus').waitFor();
    await checkAxe(page);
    expect(await overflowOf(page)).toBe(0);
    await page.keyboard.press('ArrowUp');
    await page.locator('input[type=radio][value="3600"]:checked').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Copy the key"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await keyRow(page, 'leaked').getByText('Replaced').waitFor();
    expect(await overflowOf(page)).toBe(0);
  });
});
