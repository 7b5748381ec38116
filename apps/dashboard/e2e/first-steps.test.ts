import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { checkAxe } from './page/axe.ts';
import { describeInBrowser } from './page/in-browser.ts';
import { openWorld, type World } from './world/world.ts';
import { testWith } from '@notify/testkit';

describeInBrowser('the first steps', () => {
  let world: World;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    page = await world.newPage();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => world.checkGuards());

  testWith('curl')('a newcomer does what the lines say, and each step goes as it is done', async () => {
    const password = 'correct horse battery';
    await page.goto('/register');
    await page.getByLabel('Name', { exact: true }).fill("O'Hara & Sons");
    await page.getByLabel('Email', { exact: true }).fill("o'hara@example.com");
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await checkAxe(page);
    // With the sandbox one can send at once, and is told that it only simulates.
    const steps = page.getByRole('complementary', { name: 'Get started' }).getByRole('listitem');
    await steps.nth(3).waitFor();
    expect(
      (await steps.allTextContents()).map((text) => /^(?:Create|Send|Add|Connect)/.exec(text)?.[0]),
    ).toEqual(['Create', 'Send', 'Add', 'Connect']);
    await steps.nth(1).getByText('nothing reaches a phone').waitFor();
    // The figures come first, also for a newcomer.
    await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
    await page.getByText('Get an access token').click();
    const token = (await line('/auth/login')).replace('…', password);

    await run(`${token}; ${(await line('/v1/channel-accounts')).replace('123456:…', telegramToken)}`);
    await page.getByText('Connect a channel').first().waitFor({ state: 'hidden' });
    const key = (await run(`${token}; ${await line('/tenant/api-keys')}`)) as { readonly key: string };
    await page.getByRole('link', { name: 'Create a key' }).waitFor({ state: 'hidden' });
    const sent = await run((await line('/v1/notify/sms/text')).replace('svc_live_…', key.key));
    expect(sent).toMatchObject({ status: 'queued', provider: 'sms' });
    await page.getByRole('link', { name: 'Send test message' }).waitFor({ state: 'hidden' });
    await page.getByText('3 of 4 done').waitFor();
    await run(
      `${token}; ${(await line('/v1/webhooks')).replace('https://example.com/notify', world.receiver.url)}`,
    );
    await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'hidden' });
  });

  testWith('curl', 'python3')(
    'the samples run as they are, in each language, once token and key are filled in',
    async () => {
      const tenant = await world.registerTenant();
      const newcomer = await world.newPage({ tenant });
      await newcomer.goto('/overview');
      const panel = newcomer.getByRole('complementary', { name: 'Get started' });
      await panel.getByRole('button', { name: 'Fill in my access token' }).click();
      await panel.getByRole('button', { name: 'Hide my access token' }).waitFor();
      await panel.getByRole('button', { name: 'Fill in a new key' }).click();
      await panel.locator('pre', { hasText: /svc_live_\w{49}/ }).waitFor({ state: 'attached' });
      const programs: (readonly [command: readonly string[], code: string])[] = [];
      for (const [language, ...command] of [
        ['curl', '/bin/sh', '-c'],
        ['Node', process.execPath, '--input-type=module', '-e'],
        ['Python', 'python3', '-c'],
      ] as const) {
        await panel.getByText(language, { exact: true }).click();
        for (const path of ['/v1/notify/sms/text', '/v1/webhooks']) {
          const code = await panel.locator('pre', { hasText: `${world.url}${path}` }).textContent();
          programs.push([command, code!.replace('https://example.com/notify', world.receiver.url)]);
        }
      }
      await checkAxe(newcomer);
      for (const [[name, ...parameters], code] of programs) {
        const { stdout } = await promisify(execFile)(name!, [...parameters, code]);
        expect(JSON.parse(stdout)).toMatchObject({ id: expect.stringMatching(/^(?:msg|wh)_/) });
      }
    },
  );

  test('a key that was made in this tab is in the line that sends with it', async () => {
    const tenant = await world.registerTenant();
    const fresh = await world.newPage({ tenant });
    await fresh.goto('/keys');
    await fresh.getByRole('button', { name: 'Create a key' }).click();
    await fresh.getByRole('dialog').getByLabel('Name', { exact: true }).fill('shop');
    await fresh.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    const key = await fresh.getByText(/^svc_live_\w{49}$/).textContent();
    await fresh.getByRole('button', { name: 'Close' }).click();
    await fresh.getByRole('button', { name: 'I’ve saved it' }).click();
    await fresh.getByRole('link', { name: 'Overview' }).click();
    await fresh.locator('pre', { hasText: `X-Api-Key: ${key}` }).waitFor({ state: 'attached' });
    await fresh.reload();
    await fresh.locator('pre', { hasText: 'X-Api-Key: svc_live_…' }).waitFor({ state: 'attached' });
  });

  /** The line that asks for that path, as it is shown. */
  async function line(path: string): Promise<string> {
    const text = await page.locator('pre', { hasText: `${world.url}${path}` }).textContent();
    return text ?? '';
  }
});

/** Of the form that Telegram's have; nothing is sent with it. */
const telegramToken = '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawA';

/** What a line prints that somebody puts into a shell, as JSON; rejects where it is a problem. */
async function run(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line]);
  const answer = JSON.parse(stdout) as object;
  if ('requestId' in answer) throw new Error(`${line}\n${stdout}`);
  return answer;
}
