import type { Page } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('the guides', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  // Fails on a breach of the Content-Security-Policy and on a request to another host.
  afterEach(() => world.checkGuards());

  const search = (page: Page) => page.getByRole('combobox', { name: 'Search guides and reference' });
  const option = (page: Page, name: RegExp) => page.getByRole('option', { name });
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const target = async (page: Page): Promise<string> => {
    const { pathname, hash } = new URL(page.url());
    return decodeURIComponent(pathname + hash);
  };

  test('the search works by keyboard alone, and finds guides, operations, events and error codes', async () => {
    const page = await world.newPage();
    await page.goto('/docs/guides');
    await page.keyboard.press('/');
    await page.keyboard.type('verify the signature');
    await option(page, /^Guide Verify the signature Webhooks/).waitFor();
    await checkAxeInBothSchemes(page);
    expect(await search(page).getAttribute('aria-activedescendant')).toBe('found-0');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/webhooks#verify-the-signature');

    await search(page).fill('recipient-rejected');
    await option(page, /^Error code recipient-rejected/).waitFor();
    await search(page).fill('message.read');
    await option(page, /^Event message\.read/).waitFor();
    await search(page).fill('xyzzy');
    await page.getByText('Nothing found for “xyzzy”.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing found for “xyzzy”.').waitFor({ state: 'hidden' });

    await search(page).fill('send a text');
    await option(page, /^Operation Send a text POST \/v1\/notify/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs#tag/);
    expect(await target(page)).toBe('/docs#tag/sending/POST/v1/notify/{channel}/text');
    await page.getByRole('heading', { name: 'Send a text', exact: true }).first().waitFor();

    await search(page).fill('quiet hours');
    await option(page, /^Guide Quiet hours Scheduling/).click();
    await page.waitForURL('**/docs/guides/scheduling#quiet-hours');
  });

  test('a language that was chosen is shown on every page, and an address opens its own', async () => {
    const page = await world.newPage();
    await page.goto('/docs/guides/first-message');
    expect(await tab(page, 'curl').getAttribute('aria-selected')).toBe('true');
    await tab(page, 'curl').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText('urllib.request').first().waitFor();
    await page.goto('/docs/guides/webhooks');
    await page.getByText('hmac.compare_digest').waitFor();
    expect(await page.getByText('hash_equals').isVisible()).toBe(false);
    // What has no Python shows its first way, and remembers its own choice beside.
    await tab(page, 'CLI').first().click();
    await page.getByText('notifyctl webhooks replay').first().waitFor();
    await page.goto('/docs/guides/errors-and-retries');
    await page.getByText('urllib.error.HTTPError').first().waitFor();
    await page.goto('/docs/guides/webhooks#go');
    await page.getByText('hmac.Equal').waitFor();
    expect(await tab(page, 'Go').getAttribute('aria-selected')).toBe('true');
    await page.goto('/docs/guides/errors-and-retries');
    await page.getByText('urllib.error.HTTPError').first().waitFor();
  });

  test('without scripts every way can be read, and the list of guides opens', async () => {
    const page = await world.newPage({ width: 360 });
    await page.route('**/*.js', (route) => route.abort('connectionrefused'));
    await page.goto('/docs/guides/webhooks');
    for (const text of ['compare_digest', 'hash_equals', 'hmac.Equal', 'secure_compare'])
      expect(await page.getByText(text).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'All guides' }).click();
    await page
      .getByRole('navigation', { name: 'All guides' })
      .getByRole('link', { name: 'Fallback' })
      .click();
    await page.getByRole('heading', { name: 'Fallback', level: 1 }).waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  test('code is copied as it is written', async () => {
    const page = await world.newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.url });
    await page.goto('/docs/guides/webhooks#try-it-on-your-computer');
    await page.getByRole('button', { name: 'Copy listen.sh' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'notifyctl listen --forward-to http://localhost:4000/webhooks/notify --print-secret',
    );
  });

  test('headings, contents and neighbours lead where they say, and the brand to the dashboard', async () => {
    const page = await world.newPage({ width: 1440 });
    await page.goto('/docs/guides/fallback');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'Follow it' }).click();
    await page.waitForURL('**/docs/guides/fallback#follow-it');
    const at = await page.getByRole('heading', { name: 'Follow it' }).boundingBox();
    expect(at!.y).toBeGreaterThan(56); // below the top bar
    expect(at!.y).toBeLessThan(400);
    await page
      .getByRole('navigation', { name: 'Previous and next' })
      .getByRole('link', { name: /^Next/ })
      .click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Previous/ }).click();
    await page.getByRole('heading', { name: 'Fallback', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'POST /v1/groups' }).click();
    await page.waitForURL(/\/docs#tag\/messages\/POST\/v1\/groups$/);
    await page.goBack();
    await page.getByRole('link', { name: 'Skip to the content' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
    await page.getByRole('link', { name: 'Notify', exact: true }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('no page is wider than its window, at 1440, 1024 and 360 px', async () => {
    const page = await world.newPage();
    await page.goto('/docs/guides');
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((one) => (one as { href?: string }).href!));
    expect(addresses.length).toBeGreaterThan(15);
    const wide: string[] = [];
    for (const address of [...addresses, `${world.url}/docs/guides`, `${world.url}/problems`]) {
      await page.goto(address);
      for (const width of [1440, 1024, 360]) {
        await page.setViewportSize({ width, height: 800 });
        if ((await overflowOf(page)) > 0) wide.push(`${address} at ${width}`);
      }
    }
    expect(wide).toEqual([]);
  });

  test('the colours can be changed, and the dashboard has the same', async () => {
    const page = await world.newPage({ width: 360 });
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    await page.goto('/docs/guides/webhooks');
    await checkAxeInBothSchemes(page);
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    expect(await ground()).toBe('rgb(19, 22, 28)');
    await checkAxe(page);
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark');
    await page.goto('/problems/rate-limited');
    expect(await ground()).toBe('rgb(19, 22, 28)');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Documentation' }).isVisible()).toBe(false);
  });
});
