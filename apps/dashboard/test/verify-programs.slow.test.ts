import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { describeWith } from '@notify/testkit/programs';
import { Webhook } from 'standardwebhooks';
import { curlProgram, nodeProgram, pythonProgram } from '../src/views/webhooks/verify/programs.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"event":"message.sent","to":"é😀","text":"a\u2028b"}';

/** The headers of a delivery, signed by the library of the standard. */
function headersAt(at: Date): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
}

/** Runs the program in its language on one delivery; fails where it fails. */
function run(command: readonly [string, ...string[]], headers: object, received = body): string {
  const [name, ...parameters] = command;
  const { status, stdout, stderr } = spawnSync(name, parameters, {
    input: JSON.stringify({ body: received, headers, secret }),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trim().toLowerCase();
}

const inNode = `${nodeProgram.code}
import { readFileSync } from 'node:fs';
const { body, headers, secret } = JSON.parse(readFileSync(0, 'utf8'));
console.log(isGenuine(Buffer.from(body), headers, secret));`;

const inPython = `${pythonProgram.code}
import json, sys
given = json.load(sys.stdin)
print(is_genuine(given["body"].encode(), given["headers"], given["secret"]))`;

const commands = [
  { language: 'Node', needs: [], command: [process.execPath, '--input-type=module', '-e', inNode] },
  { language: 'Python', needs: ['python3'], command: ['python3', '-c', inPython] },
] as const;

for (const { language, needs, command } of commands)
  describeWith(...needs)(`the program in ${language}`, () => {
    test('takes a genuine delivery, also while a second secret signs', () => {
      const headers = headersAt(new Date());
      expect(run([...command], headers)).toBe('true');
      const both = `v1,${randomBytes(32).toString('base64')} ${headers['webhook-signature']}`;
      expect(run([...command], { ...headers, 'webhook-signature': both })).toBe('true');
    });

    test('refuses another body, an old delivery, and one without a signature', () => {
      const headers = headersAt(new Date());
      expect(run([...command], headers, `${body} `)).toBe('false');
      expect(run([...command], headersAt(new Date(Date.now() - 301_000)))).toBe('false');
      expect(run([...command], { ...headers, 'webhook-signature': '' })).toBe('false');
    });
  });

test('the lines for the shell sign as the service does', () => {
  const url = "https://example.com/it's";
  const lines = curlProgram(url).code.replace('whsec_…', secret);
  const script = `curl() { printf '%s\\n' "$@"; }\n${lines}`;
  const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain(`${url}\n`);
  const headers = Object.fromEntries(
    [...stdout.matchAll(/^([\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const posted = stdout.slice(stdout.indexOf('--data-raw\n') + '--data-raw\n'.length, -1);
  expect(new Webhook(secret).verify(posted, headers)).toMatchObject({ event: 'webhook.test' });
  expect(headers['X-Svc-Signature']).toBe(
    `sha256=${createHmac('sha256', secret).update(posted).digest('hex')}`,
  );
});
