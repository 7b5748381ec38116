import { kannelSettings, nowhere, startGateway } from '../suite/gateway.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, phone, recipient } from '../suite/values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const accounts = '/v1/channel-accounts';
const hourMs = 3_600_000;
const night = { from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' };
const gateway = (quietHours: unknown) => ({
  provider: 'http-sms',
  name: 'quiet',
  settings: { ...kannelSettings(nowhere), quietHours },
});

/** Quiet hours by UTC since two hours, for two to three more. */
function quietNow() {
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const clock = (ms: number) => new Date(hour + ms).toISOString().slice(11, 16);
  return {
    hours: { from: clock(-2 * hourMs), to: clock(3 * hourMs), timeZone: 'UTC' },
    end: new Date(hour + 3 * hourMs).toISOString(),
  };
}

describe('settings.quietHours', () => {
  test.each([
    ['by the clock of a place', night],
    ['by that of the recipient', { ...night, timeZone: { recipient: true, fallback: 'America/New_York' } }],
  ])('%s are kept, changed and removed', async (_what, quietHours) => {
    const { status, body } = await tenant.post(accounts, gateway(quietHours));
    expect({ status, hours: body.settings?.quietHours }).toEqual({ status: 201, hours: quietHours });
    const path = `${accounts}/${body.id}`;
    const change = async (changed: unknown) =>
      (await tenant.patch(path, { settings: { quietHours: changed } })).body.settings.quietHours;
    expect(await change({ to: '07:30', timeZone: 'Asia/Kathmandu' })).toEqual({
      from: '22:00',
      to: '07:30',
      timeZone: 'Asia/Kathmandu',
    });
    expect(await change(null)).toBeUndefined();
  });

  test.each([
    ['a time that does not exist', { ...night, from: '24:00' }, 'quietHours/from'],
    ['a time without a leading zero', { ...night, to: '8:00' }, 'quietHours/to'],
    ['a time with seconds', { ...night, to: '08:00:00' }, 'quietHours/to'],
    ['a time that is a number', { ...night, from: 22 }, 'quietHours/from'],
    ['an end that is the beginning', { ...night, to: '22:00' }, 'quietHours/to'],
    ['no end', { ...night, to: undefined }, 'quietHours/to'],
    ['no zone', { ...night, timeZone: undefined }, 'quietHours/timeZone'],
    ['a zone that does not exist', { ...night, timeZone: 'Europe/Atlantis' }, 'quietHours/timeZone'],
    ['an offset instead of a zone', { ...night, timeZone: '+01:00' }, 'quietHours/timeZone'],
    ['an empty zone', { ...night, timeZone: '' }, 'quietHours/timeZone'],
    ['a zone of recipients without a fallback', { ...night, timeZone: { recipient: true } }, 'fallback'],
    [
      'a fallback that does not exist',
      { ...night, timeZone: { recipient: true, fallback: 'Mars/Olympus' } },
      'quietHours/timeZone/fallback',
    ],
    [
      'a zone that is not that of recipients',
      { ...night, timeZone: { recipient: false, fallback: 'UTC' } },
      'quietHours/timeZone',
    ],
    ['an unknown field', { ...night, until: '08:00' }, 'quietHours/until'],
    ['a text', '22:00-08:00', 'quietHours'],
  ])('with %s are refused, naming the field', async (_what, quietHours, at) => {
    expect(await tenant.post(accounts, gateway(quietHours))).toMatchObject(problem('invalid-request', at));
  });

  test.each(channels)('are refused for the sandbox of %s', async (channel) => {
    const settings = { channel, quietHours: night };
    const created = await tenant.post(accounts, { provider: 'sandbox', name: 'quiet', settings });
    expect(created).toMatchObject(problem('invalid-request', 'body/settings/quietHours'));
    const { id } = await sandboxAccount(tenant, channel);
    expect(await tenant.patch(`${accounts}/${id}`, { settings: { quietHours: night } })).toMatchObject(
      problem('invalid-request', 'body/settings/quietHours'),
    );
  });
});

describe('urgent', () => {
  test.each([
    ['text', 'whatsapp/text', { text: 'hello' }],
    ['file', 'whatsapp/media', { type: 'image', url: 'https://example.com/a.png' }],
  ])('is taken with a %s', async (_what, path, content) => {
    const answer = await tenant.send(path, { to: recipient('whatsapp'), ...content, urgent: true });
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect((await tenant.message(answer.body.id)).body.urgent).toBe(true);
  });

  test('is taken with an item of a bulk call, and with a message that a person sends', async () => {
    const messages = [
      { to: phone(), text: 'now', urgent: true },
      { to: phone(), text: 'later' },
    ];
    const { body } = await tenant.send('sms/bulk', { messages });
    const shown = await Promise.all(body.map(({ id }: { id: string }) => tenant.message(id)));
    expect(shown.map((one) => one.body.urgent)).toEqual([true, false]);
    const byHand = await tenant.post('/v1/messages', {
      channel: 'sms',
      to: phone(),
      text: 'hi',
      urgent: true,
    });
    expect((await tenant.get(`/v1/messages/${byHand.body.id}`)).body.urgent).toBe(true);
  });

  test('stays with a message that is sent again', async () => {
    const { id: channelAccountId } = await sandboxAccount(tenant, 'sms');
    const request = { to: '+15550000001', text: 'no', channelAccountId, urgent: true };
    const { body } = await tenant.send('sms/text', request);
    await messageWhen(tenant, body.id, ({ status }) => status === 'failed');
    const again = await tenant.post(`/v1/messages/${body.id}/resend`, {});
    expect((await tenant.message(again.body.id)).body.urgent).toBe(true);
  });

  test('that is not a boolean is refused', async () => {
    const answer = await tenant.send('sms/text', { to: phone(), text: 'hi', urgent: 'yes' });
    expect(answer).toMatchObject(problem('invalid-request', 'urgent'));
  });

  test('belongs to the request of an idempotency key as soon as it is given', async () => {
    const request = { to: phone(), text: 'hi', idempotencyKey: crypto.randomUUID() };
    const first = await tenant.send('sms/text', { ...request, urgent: true });
    expect((await tenant.send('sms/text', { ...request, urgent: true })).body).toEqual(first.body);
    for (const urgent of [false, null])
      expect(await tenant.send('sms/text', { ...request, urgent })).toMatchObject(
        problem('idempotency-key-reused'),
      );
    const plain = { ...request, idempotencyKey: crypto.randomUUID() };
    const sent = await tenant.send('sms/text', plain);
    expect((await tenant.send('sms/text', { ...plain, urgent: null })).body).toEqual(sent.body);
  });
});

test('in quiet hours a message waits and says so, an urgent one is sent', async () => {
  await using provider = await startGateway();
  const own = await newTenant();
  const { hours, end } = quietNow();
  const settings = { ...provider.settings, quietHours: hours };
  const { body: account } = await own.post(accounts, { provider: 'http-sms', name: 'quiet', settings });
  const send = async (change: object = {}) => {
    const request = { to: phone(), text: 'hello', channelAccountId: account.id, ...change };
    return (await own.send('sms/text', request)).body.id as string;
  };
  const waiting = await send({ expiresInSeconds: 600 });
  const urgent = await send({ urgent: true });
  await messageWhen(own, urgent, ({ status }) => status !== 'queued');
  const expiresAt = new Date(Date.parse(end) + 600_000).toISOString();
  await messageWhen(own, waiting, (message) => message.expiresAt === expiresAt);
  expect((await own.get(`/v1/messages/${waiting}`)).body).toMatchObject({
    status: 'queued',
    attempts: 0,
    urgent: false,
    cancelable: true,
    nextAttemptAt: end,
    standing: { code: 'quiet-hours', until: end },
    timeline: [{ kind: 'event', event: 'message.queued' }],
  });
  expect(await own.post(`/v1/messages/${waiting}/cancel`, {})).toMatchObject({
    status: 200,
    body: { status: 'failed', errorCode: 'canceled' },
  });
  // Sent again, it has the lifetime that it was given, not what the night made of it.
  const again = await own.post(`/v1/messages/${waiting}/resend`, {});
  expect(again.status).toBe(202);
  await messageWhen(own, again.body.id, (message) => message.expiresAt === expiresAt);
});
