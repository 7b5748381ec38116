import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
  readonly settings: Record<string, unknown>;
}

export function accountTests(harness: () => Harness): void {
  const sandbox = async (channel: string) =>
    (await harness().json<Account[]>('accounts', 'list')).find((one) => one.channel === channel)?.id ?? '';

  it('creates an account from options and a file, changes it and deletes it', async () => {
    const { run, json, configFolder } = harness();
    const file = path.join(configFolder, 'twilio.json');
    await writeFile(file, JSON.stringify({ accountSid: `AC${'0'.repeat(32)}`, authToken: 'very-secret' }));
    const create = ['accounts', 'create', '--provider', 'twilio', '--name', 'Shop', '--no-verify'];
    const created = await json<Account>(...create, '--settings-file', file, '--set', 'from=+15005550006');
    expect(created).toMatchObject({ provider: 'twilio', settings: { from: '+15005550006' } });
    expect(JSON.stringify(created)).not.toContain('very-secret');
    const settings = ['--set', 'validitySeconds=120', '--name', 'Store', '--no-verify'];
    const updated = await json<Account>('accounts', 'update', created.id, ...settings);
    expect(updated).toMatchObject({ name: 'Store', settings: { validitySeconds: 120 } });
    const shown = await run(['accounts', 'show', created.id]);
    expect(shown.stdout).toMatch(/Name +Store[^]*validitySeconds +120/);
    expect(await json('accounts', 'delete', created.id, '--yes')).toEqual({ id: created.id, deleted: true });
  });

  it('names a stored secret that would be sent to another address, and takes it from a file', async () => {
    const { run, json, configFolder } = harness();
    const file = path.join(configFolder, 'gateway.json');
    const settings = {
      url: 'http://127.0.0.1:9/send',
      headers: { authorization: '{{secret.token}}' },
      body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
      secrets: { token: 'very-secret' },
    };
    await writeFile(file, JSON.stringify(settings));
    const create = ['accounts', 'create', '--provider', 'http-sms', '--name', 'own', '--no-verify'];
    const { id } = await json<Account>(...create, '--settings-file', file);
    const move = ['accounts', 'update', id, '--no-verify', '--set', 'url=http://127.0.0.1:10/send'];
    const [refused, unasked, map, given] = [
      await run(move),
      await run([...move, '--ask', 'secrets.token']),
      await run([...move, '--ask', 'secrets']),
      await run([...move, '--set', 'secrets={"token":"x"}']),
    ];
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/settings\/secrets\/token: must be entered again/),
    });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('secrets.token') });
    expect(map).toMatchObject({ code: 2, stderr: expect.stringContaining('secrets.<secret>') });
    expect(given).toMatchObject({ code: 2, stderr: expect.stringContaining('--ask secrets.<secret>') });
    await writeFile(file, JSON.stringify({ secrets: settings.secrets }));
    expect(await json<Account>(...move, '--settings-file', file)).toMatchObject({
      settings: { url: 'http://127.0.0.1:10/send' },
    });
    await json('accounts', 'delete', id, '--yes');
  });

  it('takes no secret on the command line, and names what is missing', async () => {
    const { run } = harness();
    const create = ['accounts', 'create', '--name', 'x', '--provider'];
    const [secret, missing, provider, setting, broken] = await Promise.all([
      run([...create, 'twilio', '--set', 'authToken=very-secret']),
      run([...create, 'telegram-bot']),
      run([...create, 'nobody']),
      run([...create, 'twilio', '--set', 'nothing=1']),
      run([...create, 'twilio', '--settings-file', '-'], { input: '{"authToken": "very-secret"' }),
    ]);
    expect(secret).toMatchObject({ code: 2, stderr: expect.stringContaining('--ask authToken') });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--settings-file') });
    expect(provider).toMatchObject({ code: 2, stderr: expect.stringContaining('telegram-bot') });
    expect(setting).toMatchObject({ code: 2, stderr: expect.stringContaining('accountSid') });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('--settings-file must hold') });
    expect(secret.stderr + broken.stderr).not.toContain('very-secret');
  });

  it('lists providers and their settings', async () => {
    const { run, json } = harness();
    const [all, one] = await Promise.all([
      json<{ id: string }[]>('accounts', 'providers'),
      run(['accounts', 'providers', 'twilio']),
    ]);
    expect(all.map(({ id }) => id)).toContain('whatsapp-web');
    expect(one.stdout).toMatch(/authToken\t–\tyes\tProves/);
  });

  it('verifies an account', async () => {
    const { run } = harness();
    const id = await sandbox('sms');
    expect(await run(['accounts', 'verify', id])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Works/),
    });
  });

  it('links no account that cannot be linked, and shows why', async () => {
    const { run, json } = harness();
    const web = await json<Account>('accounts', 'create', '--provider', 'whatsapp-web', '--name', 'phone');
    const [wrong, unlinked] = await Promise.all([
      run(['accounts', 'link', await sandbox('sms')]),
      run(['accounts', 'unlink', web.id]),
    ]);
    expect(wrong.code).toBe(1);
    expect(unlinked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await json('accounts', 'unlink', web.id, '--yes')).toEqual({ id: web.id, unlinked: true });
    await json('accounts', 'delete', web.id, '--yes');
  });

  it('lists and synchronises templates', async () => {
    const { run, json } = harness();
    const id = await sandbox('whatsapp');
    const [table, page, sync] = await Promise.all([
      run(['templates', 'list', id]),
      json<{ data: unknown[] }>('templates', 'list', id),
      json('templates', 'sync', id),
    ]);
    expect(table.stdout).toMatch(/login_code\ten\tapproved/);
    expect(page.data).toHaveLength(2);
    expect(sync).toHaveProperty('syncPending');
  });

  it('sets, lists and shows consent', async () => {
    const { run, json } = harness();
    const id = await sandbox('sms');
    expect(await json('consent', 'set', id, '+15550004711', 'opted-out')).toMatchObject({
      status: 'opted-out',
    });
    const list = await run(['consent', 'list', '--recipient', '+15550004711']);
    expect(list.stdout).toMatch(/\+15550004711\topted-out\tsms/);
    const back = ['consent', 'set', id, '+15550004711', 'opted-in', '--note', 'by telephone, ticket 4711'];
    expect((await run(back)).stdout).toContain('+15550004711 is opted-in.');
    const shown = await run(['consent', 'show', id, '+15550004711']);
    expect(shown.stdout).toMatch(
      /is opted-in\.[^]*opted-in\tapi\t–\tby telephone, ticket 4711\n[^]*opted-out\tapi/,
    );
    expect((await run(['consent', 'show', id, '+15550004712'])).stdout).toContain('Nothing is recorded of');
    const wrong = await run(['consent', 'set', id, '+15550004711', 'perhaps']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('opted-out, opted-in') });
  });

  it('lists and shows conversations', async () => {
    const { run, json, url, token } = harness();
    const id = await sandbox('telegram');
    const inbound = await fetch(`${url}/v1/channel-accounts/${id}/simulate-inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ from: '4711', text: 'Are \u001b[31myou\u009b2J open?' }),
    });
    expect(inbound.status).toBe(202);
    const { data } = await untilSome(() => json<{ data: { id: string }[] }>('conversations', 'list'));
    const [list, shown] = await Promise.all([
      run(['conversations', 'list']),
      run(['conversations', 'show', data[0]?.id ?? '']),
    ]);
    expect((await run(['conversations', 'list', '--to', '4711'])).stdout).toContain('you 2J open?');
    expect((await run(['conversations', 'list', '--to', '4712'])).stdout).toBe('');
    expect((await run(['conversations', 'list', '--search', '471', '--unread'])).stdout).toContain('4711');
    expect((await run(['conversations', 'list', '--search', 'nobody'])).stdout).toBe('');
    expect((await run(['conversations', 'list', '--since', '1h'])).stdout).toContain('4711');
    expect((await run(['conversations', 'list', '--until', '1h'])).stdout).toBe('');
    // What a person wrote moves no cursor and colours nothing.
    expect(list.stdout).toContain('Are  [31myou 2J open?');
    expect(shown.stdout).toMatch(/inbound\tdelivered\tAre {2}\[31myou 2J open\?/);
    const conversation = data[0]?.id ?? '';
    expect(await json('conversations', 'typing', conversation)).toEqual({ delivered: true });
    const read = await run(['conversations', 'read', conversation, '--tell-sender']);
    expect(read.stdout).toContain('Told: no (not-supported)');
    expect(await json('conversations', 'read', conversation)).toMatchObject({
      unread: 0,
      reason: 'not-asked',
    });
  });
}

async function untilSome<T extends { data: unknown[] }>(look: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    const seen = await look();
    if (seen.data.length > 0 || round > 20) return seen;
  }
}
