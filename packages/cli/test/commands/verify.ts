import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

export function verifyTests(harness: () => Harness): void {
  it('sends a code, checks it, and shows what came of it', async () => {
    const { run, json } = harness();
    const { key } = await json<{ key: string }>('keys', 'create', '--name', 'verify');
    const env = { NOTIFY_API_KEY: key };
    const start = [
      'verify',
      'start',
      '--channel',
      'sms',
      '--to',
      '+15550007001',
      '--brand',
      'Acme',
      '--json',
    ];
    const started = await run(start, { env });
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(started.stdout) as { id: string };
    const wrong = await run(['verify', 'check', id, '123456'], { env });
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('Wrong code, 4 more tries') });
    const right = await run(['verify', 'check', id, '000000'], { env });
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved') });
    const late = await run(['verify', 'check', id, '000000'], { env });
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('verification-ended') });
    const shown = await run(['verify', 'show', id], { env });
    expect(shown.stdout).toContain(`${id}  +15550007001  approved`);
    // Without a key, the login looks it up.
    const login = { NOTIFY_API_KEY: undefined };
    expect(await run(['verify', 'show', id], { env: login })).toEqual(shown);
    const list = ['verify', 'list', '--to', '+1 (555) 000-7001', '--status', 'approved'];
    const [table, pages, none] = await Promise.all([
      run(list, { env: login }),
      json<{ data: { id: string; groupId: string }[] }>(...list),
      run([...list, '--until', '2020-01-01']),
    ]);
    expect(table.stdout).toMatch(/ID\s+STATUS\s+TO[^]*ver_\S+\s+approved\s+\+15550007001\s.*\s2\s+grp_/);
    expect(pages.data).toMatchObject([{ id, attempts: 2 }]);
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'No verifications.\n' });
    const group = await run(['groups', 'show', pages.data[0]!.groupId]);
    expect(group.stdout).toMatch(new RegExp(`Verification\\s+${id}`));
    const usage = await run(['verify', 'usage']);
    expect(usage.stdout).toMatch(/PREFIX\tSTARTS[^]*\+1\t1\t1\t1\t0\t0/);
    const limits = await run(['verify', 'limits']);
    expect(limits.stdout).toContain('1000 per hour');
  });

  it('tries several channels, and needs a key', async () => {
    const { run } = harness();
    const start = ['verify', 'start', '--channel', 'whatsapp,sms', '--to', '+15550007002'];
    expect(await run(start, { env: { NOTIFY_API_KEY: undefined } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('NOTIFY_API_KEY is not set'),
    });
    expect(await run(['verify', 'check', 'ver_x', '1'])).toMatchObject({ code: 2 });
  });
}
