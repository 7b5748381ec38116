import { expect, it } from '@jest/globals';
import { closedUrl, type Harness, runProcess } from '../harness.ts';
import { runHere } from '../run-here.ts';

export function failureTests(harness: () => Harness): void {
  it('tells wrong usage by exit code 2 and names the option', async () => {
    const ran = await harness().runProcess(['messages', 'list', '--limit', '101']);
    const named = "option '--limit <count>' argument '101' is invalid";
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) });
  });

  it('tells a fault of the service in one block, with its fields and its request', async () => {
    const ran = await harness().run(['send', '--channel', 'sms', '--to', 'nobody', '--text', 'x']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: .+\n {2}body\/to: .+\n {2}invalid-recipient \(422, request [\w-]+\)\n$/,
    );
  });

  it('ends by 3, 4 and 5 for a refused token, a missing thing and a service that is away', async () => {
    const { run, makeToken } = harness();
    const few = await makeToken(['webhooks:read']);
    const none = { NOTIFY_URL: undefined, NOTIFY_TOKEN: undefined, NOTIFY_PROFILE: 'nobody' };
    const closed = await closedUrl();
    const gone = '00000000-0000-0000-0000-000000000000';
    const [unknown, narrow, without, missing, away, account, retry] = await Promise.all([
      run(['accounts', 'list'], { env: { NOTIFY_TOKEN: 'svc_tok_nothing' } }),
      run(['accounts', 'list'], { env: { NOTIFY_TOKEN: few } }),
      run(['accounts', 'list'], { env: none }),
      run(['messages', 'show', `msg_${gone}`]),
      run(['accounts', 'list'], { env: { NOTIFY_URL: closed } }),
      run(['templates', 'list', gone]),
      run(['webhooks', 'retry', gone, `dlv_${gone}`]),
    ]);
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('notifyctl login') });
    expect(narrow).toMatchObject({ code: 3, stderr: expect.stringContaining('scope accounts:read') });
    expect(without).toMatchObject({ code: 3, stderr: expect.stringContaining('no profile nobody') });
    expect(narrow.stderr).toContain(
      'Create a token with this scope in the dashboard, under Service tokens, and log in with it.',
    );
    const named = [
      [missing, `no message msg_${gone} for this token (404 not-found)`],
      [account, `no channel account ${gone} for this token (404 not-found)`],
      [retry, `no webhook ${gone} or delivery dlv_${gone} for this token (404 not-found)`],
    ] as const;
    for (const [ran, text] of named)
      expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining(`error: ${text}\n`) });
    expect(away).toMatchObject({ code: 5, stderr: expect.stringContaining('trying again in') });
    const hint = '  Is it running? Check --url, NOTIFY_URL or the login.';
    expect(away.stderr).toContain(`\nerror: cannot reach ${closed}: connection refused\n${hint}\n`);
    for (const { stdout, stderr } of [unknown, narrow, without, missing, away, account, retry]) {
      expect(stdout).toBe('');
      expect(stderr).not.toMatch(/ at .*:\d+:\d+|svc_tok_/);
    }
  });

  it('shows help with examples for every command, and the exit codes', async () => {
    const [help, group, command, version] = await Promise.all([
      runProcess(['--help']),
      runHere(['webhooks']),
      runHere(['help', 'send']),
      runProcess(['--version']),
    ]);
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Exit codes:\n {2}0 {2}done/),
      stderr: '',
    });
    expect(group).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('rotate-secret') });
    expect(command).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Examples:\n {2}# .+\n {2}notifyctl send/),
    });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
}
