import { type SmtpReceiver, startSmtpReceiver } from '@notify/testkit';
import { checkAxeInBothSchemes } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { overflowOf } from './page/overflow.ts';
import { openWorld, type Page, type World } from './world/world.ts';

const publicUrl = 'https://notify.example';

describeInBrowser('links in mails', () => {
  let smtp: SmtpReceiver;
  let world: World;
  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    world = await openWorld({
      env: {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Notify <no-reply@example.com>',
        PUBLIC_URL: publicUrl,
        EMAIL_VERIFICATION: 'required',
        TRIAL_ENFORCEMENT: 'block',
      },
      sends: false,
    });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
    await smtp?.close();
  });
  afterEach(() => world.checkGuards());

  /** The path of the link in the next mail to this address. */
  async function pathTo(email: string): Promise<string> {
    const { text } = await smtp.next(email);
    return /https:\/\/notify\.example(\/\S+#\S+)/.exec(text)?.[1] ?? '';
  }

  async function checkLooks(page: Page): Promise<void> {
    await checkAxeInBothSchemes(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
  }

  test('a new tenant is told to verify its address, gets another mail, and verifies it', async () => {
    const tenant = await world.registerTenant();
    await pathTo(tenant.email);
    const page = await world.newPage({ tenant });
    await page.goto('/keys');
    const banner = page.getByRole('alert').filter({ hasText: 'Verify your email address' });
    await banner.getByText(tenant.email).waitFor();
    await checkLooks(page);
    await banner.getByRole('button', { name: 'Send another link' }).click();
    await banner.getByText('An email is on its way.').waitFor();

    const path = await pathTo(tenant.email);
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Verify email' }).waitFor();
    await page.waitForURL(({ hash }) => !hash.includes('lnk_'));
    await checkLooks(page);
    await page.getByRole('button', { name: 'Verify my address' }).click();
    await page.getByRole('heading', { level: 1, name: 'Email verified' }).waitFor();
    await page.getByRole('link', { name: 'To the dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('Verify your email address').waitFor({ state: 'hidden' });
    // Another page, because only the part behind the # differs.
    const again = await page.context().newPage();
    await again.goto(path);
    await again.getByRole('button', { name: 'Verify my address' }).click();
    await again.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
    await checkLooks(again);
  });

  test('where sending stops after the trial, registration and settings say when', async () => {
    const page = await world.newPage({ tenant: await world.registerTenant() });
    const stops = /Sending stops on [A-Z][a-z]{2} \d{1,2}(?:, \d{4})? unless the operator gives you a plan\./;
    await page.goto('/settings');
    await page.getByText(stops).waitFor();
    const stranger = await world.newPage();
    await stranger.goto('/register');
    await stranger.getByText(stops).waitFor();
    await checkLooks(stranger);
  });

  test('a forgotten password is set anew by the link in a mail, which ends every session', async () => {
    const tenant = await world.registerTenant();
    await pathTo(tenant.email);
    const elsewhere = await world.newPage({ tenant });
    await elsewhere.goto('/settings');
    await elsewhere.getByText('This browser').waitFor();

    const page = await world.newPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgotten password?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
    await checkLooks(page);
    await page.getByLabel('Email', { exact: true }).fill(tenant.email);
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor();
    await checkLooks(page);

    const path = await pathTo(tenant.email);
    await page.goto(path);
    const field = page.getByLabel('New password', { exact: true });
    await field.fill('password');
    await page.waitForURL(({ hash }) => !hash.includes('lnk_'));
    await checkLooks(page);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Must not be a common password').waitFor();
    await field.fill('battery staple horse');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor();
    await checkLooks(page);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Email', { exact: true }).fill(tenant.email);
    await page.getByLabel('Password', { exact: true }).fill('battery staple horse');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await elsewhere.reload();
    await elsewhere.waitForURL('**/login*');
    await elsewhere.goto(path);
    await elsewhere.getByLabel('New password', { exact: true }).fill('yet another horse');
    await elsewhere.getByRole('button', { name: 'Set the password' }).click();
    await elsewhere.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
    await elsewhere.getByRole('link', { name: 'Ask for a new link' }).click();
    await elsewhere.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
  });

  test('a browser that is logged in ends its own session with the new password', async () => {
    const tenant = await world.registerTenant();
    await pathTo(tenant.email);
    const page = await world.newPage({ tenant });
    await page.goto('/settings');
    await page.getByText('This browser').waitFor();
    await fetch(`${world.url}/auth/password/forgot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: tenant.email }),
    });
    await page.goto(await pathTo(tenant.email));
    await page.getByLabel('New password', { exact: true }).fill('battery staple horse');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  });

  test('a link without its token does not work', async () => {
    const page = await world.newPage();
    for (const path of ['/reset-password', '/verify-email']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
    }
  });
});
