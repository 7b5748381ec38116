import { expect, it } from '@jest/globals';
import { readConfig } from './config.ts';
import { runProgram } from './run.ts';

/** Runs a command line without a terminal and without a login. */
async function run(...args: string[]) {
  const shown = { stdout: '', stderr: '' };
  const code = await runProgram({
    args,
    config: readConfig({ NOTIFY_URL: 'http://127.0.0.1:1', NOTIFY_TOKEN: 'svc_tok_x' }),
    version: '1.2.3',
    stdin: { isTTY: false, readAll: async () => '' },
    stdout: { write: (text) => (shown.stdout += text) },
    stderr: { write: (text) => (shown.stderr += text) },
    signal: new AbortController().signal,
    allowGrace: () => {},
  });
  return { code, ...shown };
}

it.each([
  ['messages list --status lost', 'It must be one of queued, sent, delivered, failed.'],
  ['messages list --since yesterday', "option '--since <time>'"],
  ['messages list --from yesterday', "option '--from <time>'"],
  ['messages list --from 1h --since 1h', 'cannot be used with'],
  ['messages list --stattus sent', 'Did you mean --status'],
  ['messages show', "missing required argument 'id'"],
  ['messages shwo', 'Did you mean show'],
  ['send --channel sms --text x', '--to <recipient>'],
  ['send --to 1 --text x', '--channel <channel>'],
  ['send --route fax:1 --text x', '--route must begin with one of'],
  ['send --route sms:1 --route sms:2 --to 1 --text x', '--to does not go with --route'],
  ['send --route sms:1 --text x --wait read', '--wait read does not go with --route'],
  ['send --channel sms --to 1 --text x --advance-after 20', '--advance-after goes with --route only'],
  [
    'send --channel sms --to 1',
    'one of --text, --file, --file-id, --file-url, --template and --interactive is required',
  ],
  [
    'send --channel sms --to 1 --text x --caption y',
    '--caption goes with --file, --file-id or --file-url only',
  ],
  ['send --channel sms --to 1 --template x', '--language is required with --template'],
  ['send --channel sms --to 1 --text x --timeout 3', '--timeout goes with --wait only'],
  ['webhooks create https://x --events message.lost', "option '--events <names>'"],
  ['listen --forward-to http://localhost --events mesage.failed', 'or message.*, contact.*'],
  ['events list --event message.lost', 'must be one of message.queued, message.sent'],
  ['messages tail --events message.d*', 'or message.*, contact.*'],
  ['messages show wh_01912d68-783e-7a03-8467-5661c1243ad4', '<id> must begin with msg_'],
  ['webhooks retry wh_01912d68-783e-7a03-8467-5661c1243ad4 x', '<delivery-id> must begin with dlv_'],
  ['accounts show msg_01912d68-783e-7a03-8467-5661c1243ad4', '<id> must be a UUID'],
  ['messages list --account shop', 'must be a UUID'],
  ['keys list --profile ../x', 'the name of a profile'],
  ['completion powershell', 'bash, zsh, fish'],
])('%s is wrong usage', async (line, named) => {
  const ran = await run(...line.split(' '));
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) });
});
