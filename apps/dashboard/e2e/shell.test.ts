import { checkAxeInBothSchemes } from './page/axe.ts';
import { passSeconds } from './page/idle.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('the frame of all views', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('a service that cannot answer is waited for without end, and a banner says what is known', async () => {
    const page = await world.newPage({ tenant: await world.registerTenant() });
    await page.clock.install();
    const busy = { type: '/problems/unavailable', title: 'Temporarily unavailable', requestId: 'r1' };
    let asked = 0;
    await page.route('**/v1/webhooks', (route) => {
      asked += 1;
      return route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '2' },
        body: JSON.stringify({ ...busy, status: 503, code: 'unavailable' }),
      });
    });
    await page.goto('/webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await passSeconds(page, 60);
    const banner = page.getByText('Notify cannot answer now: Temporarily unavailable.');
    await banner.waitFor();
    await checkAxeInBothSchemes(page);
    expect(asked).toBeGreaterThan(5);
    await page.unroute('**/v1/webhooks');
    await passSeconds(page, 16);
    await page.getByText('No webhooks yet').waitFor();
    await banner.waitFor({ state: 'detached' });

    await page.route('**/tenant/api-keys', () => undefined);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await passSeconds(page, 4);
    await page.getByText('Notify has not answered yet. Still waiting…').waitFor();
    await page.close();
  });

  test('the keyboard opens commands and views, and takes no key from an input', async () => {
    const page = await world.newPage({ tenant: await world.registerTenant() });
    await page.goto('/overview');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.locator('h1:focus', { hasText: 'API keys' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('g').first().waitFor();
    await checkAxeInBothSchemes(page);
    await help.getByRole('switch', { name: 'Shortcuts without Ctrl' }).uncheck({ force: true });
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.locator('h1:focus').waitFor();

    // Single keys are off now.
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    const commands = page.getByRole('dialog', { name: 'Go to…' });
    await commands.getByRole('combobox').waitFor();
    await page.locator('[role=combobox]:focus').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.type('e');
    await page.keyboard.press('ArrowDown');
    await checkAxeInBothSchemes(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('nothing like it');
    await commands.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('+49 157 355-50140');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/messages?to=%2B4915735550140');
    await page.locator('h1:focus', { hasText: 'Messages' }).waitFor();

    await page.evaluate('localStorage.clear()');
    const input = page.getByRole('searchbox').first();
    await input.fill('');
    await input.press('?');
    await input.press('g');
    await input.press('k');
    await input.press('Control+k');
    expect(await input.inputValue()).toBe('?gk');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Go to…' }).click();
    await commands.getByRole('option', { name: 'Theme: Dark' }).click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.locator('button[aria-label="Go to…"]:focus').waitFor();
  });
});
