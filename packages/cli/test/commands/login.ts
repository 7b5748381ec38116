import { chmod, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { closedUrl, type Harness } from '../harness.ts';

const loggedIn = { NOTIFY_URL: undefined, NOTIFY_TOKEN: undefined };

export function loginTests(harness: () => Harness): void {
  const fileOf = (profile: string) => path.join(harness().configFolder, 'notify/profiles', `${profile}.json`);
  const login = (profile: string, token: string, url = harness().url) =>
    harness().run(['login', '--url', url, '--token-stdin', '--profile', profile], {
      input: `${token}\n`,
      env: loggedIn,
    });

  it('saves a login that only its user can read, and uses it', async () => {
    const { run, token, url } = harness();
    const ran = await login('mine', token, `${url}/`);
    expect(ran).toMatchObject({
      code: 0,
      stdout: `Logged in to ${url} with the token …${token.slice(-4)}.\n`,
    });
    expect((await stat(fileOf('mine'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(fileOf('mine')))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(fileOf('mine'), 'utf8'))).toEqual({ url, token });
    const [byOption, byVariable] = await Promise.all([
      run(['accounts', 'list', '--profile', 'mine'], { env: loggedIn }),
      run(['whoami', '--json'], { env: { ...loggedIn, NOTIFY_PROFILE: 'mine' } }),
    ]);
    expect(byOption).toMatchObject({ code: 0, stdout: expect.stringContaining('sandbox') });
    expect(JSON.parse(byVariable.stdout)).toEqual({ url, profile: 'mine', tokenHint: token.slice(-4) });
  });

  it('saves nothing that the service refuses, and never shows it', async () => {
    const { token, url } = harness();
    const closed = await closedUrl();
    const wrong = `svc_tok_${'x'.repeat(49)}`;
    const [refused, key, broken, away] = await Promise.all([
      login('none', wrong),
      login('none', `svc_live_${'x'.repeat(49)}`),
      login('none', 'svc_tok_two\nlines'),
      login('none', token, closed),
    ]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('unauthenticated') });
    expect(key).toMatchObject({ code: 3, stderr: expect.stringContaining('API key') });
    expect(broken).toMatchObject({ code: 3, stderr: expect.stringContaining('characters') });
    expect(away).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`cannot reach ${closed}: connection refused\n`),
    });
    for (const { stdout, stderr } of [refused, key, broken, away])
      expect(stdout + stderr).not.toMatch(/x{49}|two|svc_tok_V/);
    await expect(stat(fileOf('none'))).rejects.toThrow('ENOENT');
    expect(url).toContain('http');
  });

  it('refuses a file that others can read', async () => {
    const { run, token } = harness();
    await login('shared', token);
    await chmod(fileOf('shared'), 0o640);
    const ran = await run(['accounts', 'list', '--profile', 'shared']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`chmod 600 ${fileOf('shared')}`);
  });

  it('sends the token of a login to no other service', async () => {
    const { run, token } = harness();
    await login('default', token);
    const ran = await run(['accounts', 'list'], { env: { ...loggedIn, NOTIFY_URL: 'http://127.0.0.1:1' } });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('NOTIFY_URL') });
  });

  it('removes a login', async () => {
    const { run, token } = harness();
    await login('old', token);
    const removed = await run(['logout', '--profile', 'old', '--json']);
    expect(JSON.parse(removed.stdout)).toEqual({ profile: 'old', removed: true });
    const ran = await run(['whoami', '--profile', 'old'], { env: loggedIn });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('login --profile old') });
    const again = await run(['logout', '--profile', 'old', '--json']);
    expect(JSON.parse(again.stdout)).toEqual({ profile: 'old', removed: false });
  });

  it('finds out the scopes of a token and changes nothing', async () => {
    const { run, makeToken, json } = harness();
    const scopes = ['messages:manage', 'webhooks:write', 'conversations:read'];
    const [few, all] = await Promise.all([
      run(['whoami', '--scopes', '--json'], { env: { NOTIFY_TOKEN: await makeToken(scopes) } }),
      json<{ scopes: string[] }>('whoami', '--scopes'),
    ]);
    expect(JSON.parse(few.stdout).scopes).toEqual(scopes);
    expect(all.scopes).toHaveLength(18);
  });

  it('asks nothing where there is no terminal, and names the option', async () => {
    const { run, url } = harness();
    const [noUrl, noToken, emptyToken] = await Promise.all([
      run(['login'], { env: loggedIn }),
      run(['login', '--url', url], { env: loggedIn }),
      run(['login', '--url', url, '--token-stdin'], { env: loggedIn }),
    ]);
    expect(noUrl).toMatchObject({ code: 2, stderr: expect.stringContaining('--url') });
    expect(noToken).toMatchObject({ code: 2, stderr: expect.stringContaining('--token-stdin') });
    expect(emptyToken).toMatchObject({ code: 3, stderr: expect.stringContaining('empty') });
  });
}
