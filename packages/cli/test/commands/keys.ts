import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

interface Key {
  readonly id: string;
  readonly key: string;
}

export function keyTests(harness: () => Harness): void {
  it('creates, rotates and revokes a key', async () => {
    const { run, json } = harness();
    const created = await json<Key>(
      'keys',
      'create',
      '--name',
      'ci',
      '--scopes',
      'send,list',
      '--expires-at',
      '1h',
    );
    expect(created).toMatchObject({ scopes: ['send', 'list'], key: expect.stringMatching(/^svc_live_/) });
    const rotated = await json<Key>('keys', 'rotate', created.id, '--overlap', '60', '--yes');
    expect(rotated.key).not.toBe(created.key);
    const list = await run(['keys', 'list']);
    expect(list.stdout).toContain(`…${rotated.key.slice(-4)}`);
    expect(list.stdout).not.toContain(rotated.key);
    const unasked = await run(['keys', 'revoke', rotated.id]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await json('keys', 'revoke', rotated.id, '--yes')).toEqual({ id: rotated.id, revoked: true });
  });

  it('shows the usage', async () => {
    const { run, json } = harness();
    const [figures, table] = await Promise.all([
      json<{ per: string; totals: object }>('usage', '--per', 'day', '--channel', 'sms'),
      run(['usage']),
    ]);
    expect(figures).toMatchObject({ per: 'day', totals: { accepted: expect.any(Number) } });
    expect(table.stdout).toMatch(/CHANNEL\tACCEPTED[^]*all\t\d+/);
  });
}
