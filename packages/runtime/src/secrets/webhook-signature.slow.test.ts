import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './webhook-signature.ts';
import { testWith, demandProgram } from '@notify/testkit/programs';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const older = 'whsec_OWQ4MTE4OTM1NjFkNDYwMWJhNDAxNzE2ZTgzYjU5NGE=';
const at = new Date();

function sign(changes: Partial<Parameters<typeof signatureHeaders>[0]> & { text?: string }) {
  const body = Buffer.from(changes.text ?? '{"event":"message.sent"}');
  return { body, headers: signatureHeaders({ secrets: [secret], id: 'evt_1', at, body, ...changes }) };
}

// GitHub's documentation, and hook_test.go of adnanh/webhook.
test.each([
  [
    "It's a Secret to Everybody",
    'Hello, World!',
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
  ['secret', '{"a": "z"}', 'f417af3a21bd70379b5796d5f013915e7029f62c580fb0f500f59a35a6f04c89'],
  ['secret', '', 'f9e66e179b6747ae54108f82f8ade8b3c25d76fd30afde6c395822c530196169'],
])('the body signature of %j over %j is the published one', (key, text, hex) => {
  expect(sign({ secrets: [key], text }).headers['x-svc-signature']).toBe(`sha256=${hex}`);
});

test('the standard signature is the one published by Standard Webhooks', () => {
  const { headers } = sign({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_999),
    text: '{"test": 2432232314}',
  });
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

testWith('openssl').each(['{"a":1}', '{"text":"é😀\u2028"}', '', `{"long":"${'x'.repeat(100_000)}"}`])(
  'openssl computes the same body signature, keyed with the whole secret',
  (text) => {
    const { headers, body } = sign({ text });
    const printed = execFileSync(demandProgram('openssl'), ['dgst', '-sha256', '-hmac', secret, '-r'], {
      input: body,
    });
    expect(headers['x-svc-signature']).toBe(`sha256=${printed.toString().split(' ')[0]}`);
  },
);

describe('the library standardwebhooks', () => {
  const verify = (key: string, text: string, headers: Record<string, string>) =>
    new Webhook(key).verify(text, headers);

  test('takes a delivery', () => {
    const { headers, body } = sign({});
    expect(verify(secret, body.toString(), headers)).toEqual({ event: 'message.sent' });
  });

  test('takes either secret while both sign, newest first', () => {
    const { headers, body } = sign({ secrets: [secret, older] });
    for (const key of [secret, older])
      expect(verify(key, body.toString(), headers)).toEqual({ event: 'message.sent' });
    const newestAlone = sign({}).headers;
    expect(headers['webhook-signature'].split(' ')[0]).toBe(newestAlone['webhook-signature']);
    expect(headers['x-svc-signature'].split(',')).toHaveLength(2);
    expect(headers['x-svc-signature'].split(',')[0]).toBe(newestAlone['x-svc-signature']);
  });

  test('refuses another secret, body, id or time', () => {
    const { headers, body } = sign({});
    const text = body.toString();
    expect(() => verify(older, text, headers)).toThrow('No matching signature');
    expect(() => verify(secret, `${text} `, headers)).toThrow('No matching signature');
    expect(() => verify(secret, text, { ...headers, 'webhook-id': 'evt_2' })).toThrow(
      'No matching signature',
    );
    const late = sign({ at: new Date(at.getTime() - 301_000) }).headers;
    expect(() => verify(secret, text, late)).toThrow('too old');
  });
});
