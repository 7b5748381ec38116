import { randomBytes } from 'node:crypto';
import { signatureHeaders } from '@notify/runtime';
import { freePort, readGuide, type RegisteredTenant, registerTenant, testWith, until } from '@notify/testkit';
import { describeInEach, everyLanguage, fileIn, type LanguageName } from './languages.ts';
import type { StartedSample } from './run-sample.ts';
import { openWorld } from './world.ts';

const guide = readGuide('webhooks');

const world = openWorld();

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

interface Delivery {
  readonly state: string;
}

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly sample: StartedSample;
}

/** Starts the receiver of a language, and waits until it answers. */
async function startReceiverIn(file: string, secret: string, port: number): Promise<Running> {
  const args = file.endsWith('.php') ? ['-S', `127.0.0.1:${port}`] : [];
  const env = { NOTIFY_WEBHOOK_SECRET: secret, PORT: String(port) };
  const sample = await world.workshop.start(file, guide.take(file), env, args);
  const url = `http://127.0.0.1:${port}/webhooks/notify`;
  await until(async () => {
    if (sample.process.exitCode !== null) throw new Error(sample.errors());
    return fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    );
  }, 60_000);
  return { url, sample, [Symbol.asyncDispose]: () => sample[Symbol.asyncDispose]() };
}

const testReceiver = (language: LanguageName): void => {
  const file = fileIn(language, 'receiver');

  test('takes every event of a message from the running service, also after a rotation', async () => {
    const tenant = await registerTenant(world.url);
    const port = await freePort();
    const webhook = await tenant.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/webhooks/notify` });
    await using receiver = await startReceiverIn(file, webhook.secret, port);
    await takes(tenant, receiver);
    await tenant.post(`/v1/webhooks/${webhook.id}/rotate-secret`);
    await takes(tenant, receiver);
    const states = async (): Promise<string[]> =>
      (await tenant.get(`/v1/webhooks/${webhook.id}/deliveries`)).data.map(({ state }: Delivery) => state);
    await until(async () => !(await states()).includes('waiting'));
    expect(await states()).toEqual(Array(6).fill('delivered'));
  });

  test('tells genuine requests from others', async () => {
    const secret = newSecret();
    await using receiver = await startReceiverIn(file, secret, await freePort());
    const answers: Record<string, number> = {};
    for (const [name, request] of Object.entries(requests(secret))) {
      const response = await fetch(receiver.url, { method: 'POST', ...request });
      await response.arrayBuffer();
      answers[name] = response.status;
    }
    const expected = Object.keys(answers).map((name) => [name, name.startsWith('genuine') ? 204 : 400]);
    expect(answers).toEqual(Object.fromEntries(expected));
    const genuine = Object.keys(answers).filter((name) => name.startsWith('genuine'));
    const printed = () => receiver.sample.output().match(/^message\.sent msg_1$/gm) ?? [];
    await until(async () => printed().length >= genuine.length);
    expect(printed()).toHaveLength(genuine.length);
  });

  test('compares in constant time', () => {
    expect(guide.take(file)).toMatch(
      /webhooks\.verify|compare_digest|hash_equals|hmac\.Equal|secure_compare/,
    );
  });
};
describeInEach('the receiver in', testReceiver, ['shell']);

/** Sends a message, and waits until the receiver has printed its three events. */
async function takes(tenant: RegisteredTenant, { sample }: Running): Promise<void> {
  const { id } = await tenant.send('sms/text', { to: '+14155550123', text: 'Grüße 😀' });
  const lines = ['queued', 'sent', 'delivered'].map((status) => `message.${status} ${id}`);
  await until(async () => lines.every((line) => sample.output().split('\n').includes(line)));
}

const body = Buffer.from('{"event":"message.sent","messageId":"msg_1","to":"é😀","text":"a\u2028b/c"}');

/** Requests by name: a receiver must take those that are called genuine, and refuse the others. */
function requests(secret: string): Record<string, { body: Buffer; headers: Record<string, string> }> {
  const signed = (changes: Partial<Parameters<typeof signatureHeaders>[0]> = {}) =>
    signatureHeaders({ secrets: [secret], id: 'evt_1', at: new Date(), body, ...changes });
  const at = (ms: number) => new Date(Date.now() + ms);
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2));
  const { 'webhook-signature': _, ...unsigned } = signed();
  return {
    genuine: { body, headers: signed() },
    'genuine, rotated: newest first': { body, headers: signed({ secrets: [newSecret(), secret] }) },
    'genuine, rotated: oldest last': { body, headers: signed({ secrets: [secret, newSecret()] }) },
    'genuine, four minutes old': { body, headers: signed({ at: at(-240_000) }) },
    'genuine, from a clock that is ahead': { body, headers: signed({ at: at(240_000) }) },
    forged: { body: Buffer.from(body.toString().replace('msg_1', 'msg_2')), headers: signed() },
    're-serialised': { body: rewritten, headers: signed() },
    'with a byte more': { body: Buffer.concat([body, Buffer.from('\n')]), headers: signed() },
    'signed by another secret': { body, headers: signed({ secrets: [newSecret()] }) },
    'signed by others': { body, headers: signed({ secrets: [newSecret(), newSecret()] }) },
    stale: { body, headers: signed({ at: at(-302_000) }) },
    'from the future': { body, headers: signed({ at: at(310_000) }) },
    'with another id': { body, headers: { ...signed(), 'webhook-id': 'evt_2' } },
    'made fresh': {
      body,
      headers: { ...signed({ at: at(-600_000) }), 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` },
    },
    unsigned: { body, headers: unsigned },
    'without a timestamp': { body, headers: { ...signed(), 'webhook-timestamp': '' } },
    'with a timestamp that is no number': { body, headers: { ...signed(), 'webhook-timestamp': 'NaN' } },
    'with an enormous timestamp': { body, headers: { ...signed(), 'webhook-timestamp': '9'.repeat(400) } },
    'with a signature of another kind': { body, headers: { ...signed(), 'webhook-signature': 'v2,AAAA é' } },
    'genuine again, after all of those': { body, headers: signed() },
  };
}

testWith('openssl')('the check in the shell tells genuine deliveries from others', async () => {
  const secret = newSecret();
  const code = guide.take('verify.sh');
  const verdicts: Record<string, boolean> = {};
  for (const [name, request] of Object.entries(requests(secret))) {
    const env = {
      NOTIFY_WEBHOOK_SECRET: secret,
      WEBHOOK_ID: request.headers['webhook-id'] ?? '',
      WEBHOOK_TIMESTAMP: request.headers['webhook-timestamp'] ?? '',
      WEBHOOK_SIGNATURE: request.headers['webhook-signature'] ?? '',
    };
    verdicts[name] = (await world.workshop.run('verify.sh', code, env, request.body)).status === 0;
  }
  const expected = Object.keys(verdicts).map((name) => [name, name.startsWith('genuine')]);
  expect(verdicts).toEqual(Object.fromEntries(expected));
});

/** A sample that has succeeded and printed this. What notifyctl says beside it is for people. */
function ended(output: RegExp): unknown {
  return { status: 0, errors: expect.any(String), output: expect.stringMatching(output) };
}

describe('the requests of the guide', () => {
  testWith('curl')('create, test, inspect, replay and rotate', async () => {
    const tenant = await registerTenant(world.url);
    const port = await freePort();
    const token = await tenant.token('webhooks:read', 'webhooks:write');
    const env = { NOTIFY_URL: world.url, NOTIFY_TOKEN: token };
    const shell = async (file: string, more: Record<string, string> = {}) => {
      const { status, output, errors } = await world.workshop.run(file, guide.take(file), {
        ...env,
        ...more,
      });
      expect({ status, errors }).toEqual({ status: 0, errors: '' });
      return JSON.parse(output);
    };
    const created = await shell('create.sh', { ENDPOINT: `http://127.0.0.1:${port}/webhooks/notify` });
    expect(created).toMatchObject({ id: expect.stringMatching(/^wh_/), secret: expect.any(String) });
    expect(created.events).toEqual(['message.sent', 'message.delivered', 'message.failed']);
    const own = { WEBHOOK_ID: created.id, SINCE: new Date(Date.now() - 60_000).toISOString() };
    expect(await shell('test.sh', own)).toMatchObject({ eventId: expect.stringMatching(/^evt_/) });
    await tenant.send('sms/text', { to: '+14155550123', text: 'Hello' });
    await until(async () => (await shell('deliveries.sh', own)).data.length > 0);
    expect(await shell('replay.sh', own)).toMatchObject({ since: own.SINCE });
    const rotated = await shell('rotate.sh', own);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(created.secret);

    const others = await Promise.all(
      ['deliveries.mjs', 'replay.mjs', 'test-cli.sh', 'deliveries-cli.sh', 'replay-cli.sh'].map(
        async (file) => [file, await world.workshop.run(file, guide.take(file), { ...env, ...own })] as const,
      ),
    );
    expect(Object.fromEntries(others)).toEqual({
      'deliveries.mjs': ended(/^message\.\w+ /),
      'replay.mjs': ended(/since/),
      'test-cli.sh': ended(/dlv_/),
      'deliveries-cli.sh': ended(/message\.sent/),
      'replay-cli.sh': ended(/./),
    });
  });

  test('the stream prints the events of a new message', async () => {
    const tenant = await registerTenant(world.url);
    const env = { NOTIFY_URL: world.url, NOTIFY_TOKEN: await tenant.token('events:read') };
    await using sample = await world.workshop.start('stream.mjs', guide.take('stream.mjs'), env);
    await until(async () => {
      if (sample.process.exitCode !== null) throw new Error(sample.errors());
      await tenant.send('sms/text', { to: '+14155550123', text: 'Hello' }); // the stream begins when it is open
      return /^message\.delivered msg_/m.test(sample.output());
    });
    expect(sample.errors()).toBe('');
  });
});

test('notifyctl forwards what it triggers to the receiver', async () => {
  const tenant = await registerTenant(world.url);
  const token = await tenant.token('messages:read', 'messages:send', 'accounts:read', 'events:read');
  const env = { NOTIFY_URL: world.url, NOTIFY_TOKEN: token };
  const { secret } = await tenant.get('/v1/events/secret');
  await using receiver = await startReceiverIn('receiver.mjs', secret, await freePort());
  const listen = guide.take('listen.sh').replace('http://localhost:4000/webhooks/notify', receiver.url);
  await using listening = await world.workshop.start('listen.sh', `exec ${listen}`, env);
  await until(async () => listening.output().includes(secret));
  const { status, errors } = await world.workshop.run('trigger.sh', guide.take('trigger.sh'), env);
  expect({ status, errors }).toMatchObject({ status: 0 });
  await until(async () => /^message\.delivered msg_/m.test(receiver.sample.output()));
  expect(listening.process.exitCode).toBeNull();
});

testWith(...everyLanguage, 'openssl')('every program of the guide was run', () =>
  expect(guide.unused().filter((name) => !name.includes('.sql'))).toEqual([]),
);
