import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

const escape = '\u001b';

export function outputTests(harness: () => Harness): void {
  it('colours nothing in a pipe', async () => {
    const { run, runProcess } = harness();
    const runs = await Promise.all([
      runProcess(['accounts', 'list'], { env: { TERM: 'xterm-256color' } }),
      run(['send', '--channel', 'sms', '--to', '+15550000001', '--text', 'x', '--wait']),
      runProcess(['messages', 'show', 'nothing']),
      runProcess(['--help']),
    ]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(escape);
  });

  it('prints one JSON document of each list, and nothing else', async () => {
    const { json } = harness();
    const lists = [
      ['accounts'],
      ['webhooks'],
      ['keys'],
      ['messages'],
      ['consent'],
      ['conversations'],
      ['events'],
    ];
    const documents = await Promise.all(lists.map(([group = '']) => json(group, 'list')));
    for (const document of documents) expect(document).toBeInstanceOf(Object);
  });

  it('takes --json and --profile before and after the command', async () => {
    const { run } = harness();
    const [before, after] = await Promise.all([
      run(['--json', 'accounts', 'list']),
      run(['accounts', '--json', 'list']),
    ]);
    expect(before.stdout).toBe(after.stdout);
    expect(JSON.parse(before.stdout)).toHaveLength(3);
  });
}
