import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';
import { runHere } from '../run-here.ts';

const shells = ['bash', 'zsh', 'fish'].filter(isInstalled);

export function completionTests(harness: () => Harness): void {
  const fileOf = (shell: string) => path.join(harness().configFolder, `completion.${shell}`);
  beforeAll(async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      writeFileSync(fileOf(shell), (await runHere(['completion', shell])).stdout);
  });

  it.each(shells)('%s accepts its script', (shell) => {
    expect(execFileSync(shell, ['-n', fileOf(shell)], { encoding: 'utf8' })).toBe('');
  });

  it.each([
    [['me'], 'messages'],
    [['messages', ''], 'list show cancel cancel-many reschedule resend tail'],
    [['messages', 'list', '--st'], '--status'],
    [['messages', 'list', '--status', ''], 'queued sent delivered failed'],
    [['--json', 'webhooks', 'ro'], 'rotate-secret'],
    [['completion', ''], 'bash zsh fish'],
    [['accounts', 'create', '--settings-file', ''], ''],
  ])('bash completes %j', (typed, offered) => {
    const script = `source "$0"; COMP_WORDS=(notifyctl "$@"); COMP_CWORD=$#; _notifyctl; echo "\${COMPREPLY[*]}"`;
    const output = execFileSync('bash', ['-c', script, fileOf('bash'), ...typed], { encoding: 'utf8' });
    expect(output.trim()).toBe(offered);
  });
}

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
