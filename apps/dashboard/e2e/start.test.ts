import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { checkAxe, checkAxeInBothSchemes } from './page/axe.ts';
import { untilBuilt } from './world/built.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { openWorld, type World } from './world/world.ts';

describeInBrowser('the way in', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  test('register → log out → log in; a reload stays logged in; the wanted page comes after the login', async () => {
    const page = await world.newPage();
    await page.goto('/');
    await page.waitForURL('**/login');
    await checkAxe(page);
    await page.getByRole('link', { name: 'Register' }).click();
    await page.waitForURL('**/register');
    await checkAxe(page);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Must have at least 8 characters').waitFor();

    await page.getByLabel('Name', { exact: true }).fill('Ada & Co');
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Must not be a common password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL('**/overview');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
    expect(kept).not.toMatch(/eyJ|rt_/);
    expect(await page.evaluate('document.cookie')).toBe('');

    await logOut(page);
    await page.goto('/register?to=%2Fkeys');
    await page.getByLabel('Name', { exact: true }).fill('Ada again');
    expect(await page.getByText('trial').count()).toBe(0);
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.locator('input[type=email][aria-invalid=true]:focus').waitFor();
    const taken = page.getByText('This email address is already registered.');
    await checkAxeInBothSchemes(page);
    await taken.getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/login?to=%2Fkeys');
    await page.goto('/messages?status=failed');
    await page.waitForURL('**/login?to=*');
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('Wrong email or password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/messages?status=failed');
  });

  test('where registration is closed, nobody is asked to register', async () => {
    const page = await world.newPage();
    await page.route(/\/(register|login)$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('&quot;open&quot;', '&quot;closed&quot;');
      await route.fulfill({ response: answer, body });
    });
    await page.goto('/register');
    await page.getByRole('heading', { level: 1, name: 'Registration is closed' }).waitFor();
    await checkAxe(page);
    await page.goto('/login');
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
  });

  test('where no mail is sent, a forgotten password leads to the operator', async () => {
    const page = await world.newPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgotten password?' }).click();
    // The login has a field of the same name.
    await page.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ask the operator' }).waitFor();
    await checkAxe(page);
  });

  async function logOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login*');
  }

  test('two tabs share one session: logging out of one ends the other', async () => {
    const tenant = await world.registerTenant();
    const first = await world.newPage({ tenant });
    await first.goto('/settings');
    await first.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const second = await first.context().newPage();
    await second.goto('/settings');
    await second.getByText(tenant.email).first().waitFor();
    await logOut(second);
    await first.waitForURL('**/login*');
  });

  test('tabs whose token is over renew it one after the other, and all go on', async () => {
    const tenant = await world.registerTenant();
    const first = await world.newPage({ tenant });
    const context = first.context();
    await context.clock.install();
    const tabs = [first, await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto('/settings');
      await tab.getByText('This browser').waitFor();
    }
    let under = 0;
    let most = 0;
    const isRefresh = (request: Request): boolean => new URL(request.url()).pathname === '/auth/refresh';
    context.on('request', (request) => {
      if (isRefresh(request)) most = Math.max(most, (under += 1));
    });
    context.on('requestfinished', (request) => {
      if (isRefresh(request)) under -= 1;
    });
    await context.clock.fastForward('16:00');
    for (const tab of tabs) {
      await tab.getByRole('link', { name: 'Overview' }).click();
      await tab.getByRole('heading', { name: 'Get started' }).waitFor();
    }
    expect(most).toBe(1);
  });

  test('nobody is kept out of the settings, in both colour schemes and on a small screen', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/settings');
    await page.getByText(tenant.id).waitFor();
    await page.getByText('This browser').waitFor();
    await checkAxeInBothSchemes(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await checkAxeInBothSchemes(page);
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).waitFor();
    await checkAxeInBothSchemes(page);
  });

  test('the keyboard leads past the menu to the content, and a link to the heading of its page', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/settings/nothing');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await checkAxe(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#main:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/overview');
    await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
    expect(await page.title()).toBe('Overview · Notify');
  });

  test('a service that is away is waited for', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/overview');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Cannot reach Notify').waitFor();
    await page.context().setOffline(false);
    await page.getByText('This browser').waitFor();
    await page.getByText('Cannot reach Notify').waitFor({ state: 'hidden' });
  });

  test('a changed password keeps this session; a common one is refused at its field', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/settings');
    const change = async (newPassword: string): Promise<void> => {
      await page.getByLabel('Current password', { exact: true }).fill(tenant.password);
      await page.getByLabel('New password', { exact: true }).fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('password123');
    await page.getByText('Must not be a common password').waitFor();
    await change('battery staple horse');
    await page.getByText('Password changed.').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('a tenant changes its name, and with its password its email address', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/settings');
    const form = page
      .locator('form')
      .filter({ has: page.getByRole('button', { name: 'Save', exact: true }) });
    const password = form.getByLabel('Current password', { exact: true });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Acme Ltd');
    await save();
    await page.getByText('Saved.').waitFor();
    expect(await password.count()).toBe(0);
    const email = `new-${tenant.email}`;
    await page.getByLabel('Email', { exact: true }).fill(email);
    await password.fill('wrong');
    await save();
    await page.getByText('Wrong password.').waitFor();
    await password.fill(tenant.password);
    await save();
    await password.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await tenant.ask('GET', '/auth/me')).toMatchObject({ name: 'Acme Ltd', email });
  });

  test('a tenant that deletes itself is gone', async () => {
    const tenant = await world.registerTenant();
    const page = await world.newPage({ tenant });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete tenant…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Delete tenant' }).click();
    await dialog.getByText('Wrong password.').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill(tenant.password);
    await dialog.getByRole('button', { name: 'Delete tenant' }).click();
    await page.waitForURL('**/login*');
    await expect(tenant.ask('GET', '/auth/me')).rejects.toThrow('401');
  });
});

test('what must be loaded before anything is shown has less than 250 KB of packed script', async () => {
  await untilBuilt();
  const dist = path.resolve(import.meta.dirname, '../dist');
  const manifest = JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[] }
  >;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  const first = new Set<string>();
  const add = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const one of manifest[name]?.imports ?? []) add(one);
  };
  add(entry!);
  const sizes = await Promise.all(
    [...first].map(async (name) => gzipSync(await readFile(path.join(dist, manifest[name]!.file))).length),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
});
