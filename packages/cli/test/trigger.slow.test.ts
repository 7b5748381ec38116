import { startReceiver } from '@notify/testkit';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.stop());

describe('notifyctl trigger', () => {
  test.each([
    ['message.queued', { sequence: 1 }],
    ['message.sent', { sequence: 2 }],
    ['message.delivered', { sequence: 3 }],
    ['message.read', { sequence: 4, provider: 'whatsapp' }],
    ['message.failed', { errorCode: 'undelivered' }],
    ['message.received', { direction: 'inbound' }],
    ['contact.opted-out', { source: 'keyword' }],
    ['contact.opted-in', { source: 'keyword' }],
    ['group.delivered', { status: 'delivered' }],
    ['group.failed', { status: 'failed', sequence: 1 }],
  ])('makes %s happen and prints it', async (event, fields) => {
    expect(await harness.json('trigger', event)).toMatchObject({ event, ...fields });
  });

  test.each(['sms', 'whatsapp', 'telegram'])('has a person write on %s', async (channel) => {
    const words = ['--channel', channel, '--text', 'Are you open?'];
    expect(await harness.json('trigger', 'message.received', ...words)).toMatchObject({
      provider: channel,
      body: { text: 'Are you open?' },
    });
  });

  test('prints one line for people', async () => {
    const { code, stdout } = await harness.run(['trigger', 'message.sent']);
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
    expect(stdout).toMatch(/message\.sent +sms +\+1555/);
  });

  test('tests the only webhook, and fails if the receiver does', async () => {
    expect(await harness.run(['trigger', 'webhook.test'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no webhook'),
    });
    await using receiver = await startReceiver();
    await harness.json('webhooks', 'create', receiver.url);
    const delivered = await harness.run(['trigger', 'webhook.test']);
    expect([delivered.code, delivered.stdout]).toEqual([
      0,
      expect.stringMatching(/webhook\.test {2}evt_\S+ {2}200/),
    ]);
    receiver.behave({ status: 500 });
    expect(await harness.run(['trigger', 'webhook.test'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('500'),
    });
  });

  test('lists only what it can do, and its help says why it cannot pair', async () => {
    const { code, stderr } = await harness.run(['trigger', 'contact.paired']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('webhook.test')]);
    expect(stderr).not.toContain('verification.held');
    const { stdout } = await harness.run(['trigger', '--help']);
    expect(stdout).toMatch(/The sandbox cannot make.* contact\.paired needs a person\s+who opens a link/s);
  });

  test('knows that a message on telegram ends at sent', async () => {
    for (const event of ['message.delivered', 'message.read', 'group.delivered']) {
      const { code, stderr } = await harness.run(['trigger', event, '--channel', 'telegram']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('does not happen on telegram')]);
    }
    expect(await harness.json('trigger', 'message.failed', '--channel', 'telegram')).toMatchObject({
      event: 'message.failed',
      errorCode: 'recipient-rejected',
    });
  });

  test('says what to do without a sandbox account', async () => {
    for (const { id } of (await harness.json<{ id: string; channel: string }[]>('accounts', 'list')).filter(
      ({ channel }) => channel === 'telegram',
    ))
      await harness.run(['accounts', 'delete', id, '--yes']);
    const { code, stderr } = await harness.run(['trigger', 'message.sent', '--channel', 'telegram']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('SANDBOX=on')]);
  });

  test('is refused without the scopes', async () => {
    const token = await harness.makeToken(['messages:read']);
    expect((await harness.run(['trigger', 'message.sent'], { env: { NOTIFY_TOKEN: token } })).code).toBe(3);
  });
});
