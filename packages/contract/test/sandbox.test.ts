import { messageWhen, newTenant, type Tenant } from './tenant.ts';
import { until } from './until.ts';
import { channels, recipient, someText, timestamp } from './values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

function msBetween(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

describe('a new tenant', () => {
  test.each(channels)('has a connected sandbox account on %s, its default', async (channel) => {
    const { body } = await tenant.get('/v1/channel-accounts');
    const accounts = body.filter((account: { channel: string }) => account.channel === channel);
    expect(accounts).toMatchObject([{ provider: 'sandbox', isDefault: true, status: 'connected' }]);
  });
});

describe.each(channels)('a message to the sandbox on %s', (channel) => {
  const sent = new Map<string, string>();
  // All at once, so that their waits overlap.
  beforeAll(async () => {
    for (const ending of ['7777', '0001', '0002', '0004', '0005', '0006']) {
      const { body } = await tenant.send(`${channel}/text`, {
        to: recipient(channel, ending),
        text: 'hello',
      });
      sent.set(ending, body.id);
    }
  });
  /** The message with this ending, as soon as it has the status. */
  const messageOf = async (ending: string, status: string) =>
    messageWhen(tenant, sent.get(ending) ?? '', (message) => message.status === status);

  test('is sent, then delivered', async () => {
    const message = await messageOf('7777', 'delivered');
    expect(message).toMatchObject({ sentAt: timestamp, deliveredAt: timestamp, error: null, failedAt: null });
  });

  test('ending in 0001 is refused for good', async () => {
    const message = await messageOf('0001', 'failed');
    expect(message).toMatchObject({
      error: someText,
      errorCode: someText,
      failedAt: timestamp,
      sentAt: null,
      deliveredAt: null,
      attempts: 1,
    });
  });

  test('ending in 0002 fails twice, then is sent', async () => {
    const message = await messageOf('0002', 'delivered');
    expect(message).toMatchObject({ attempts: 3, error: null, errorCode: null, possibleDuplicate: false });
  });

  test('ending in 0004 is accepted and later reported failed', async () => {
    const message = await messageOf('0004', 'failed');
    expect(message).toMatchObject({
      error: someText,
      errorCode: someText,
      sentAt: timestamp,
      failedAt: timestamp,
      deliveredAt: null,
      attempts: 1,
    });
  });

  test('ending in 0005 takes 5 s', async () => {
    const message = await messageOf('0005', 'delivered');
    expect(msBetween(message.createdAt, message.sentAt)).toBeGreaterThanOrEqual(5_000);
  });

  test('ending in 0006 is throttled for 2 s, then sent', async () => {
    const message = await messageOf('0006', 'delivered');
    expect(msBetween(message.createdAt, message.sentAt)).toBeGreaterThanOrEqual(2_000);
    expect(message).toMatchObject({ error: null, errorCode: null, possibleDuplicate: false });
  });
});

describe('read reports of the sandbox', () => {
  test('come on whatsapp, and the status stays delivered', async () => {
    const { body } = await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'hello' });
    const message = await messageWhen(tenant, body.id, ({ readAt }) => readAt !== null);
    expect(message).toMatchObject({ status: 'delivered', readAt: timestamp, deliveredAt: timestamp });
  });

  test.each(['telegram', 'sms'])('do not come on %s', async (channel) => {
    const on = await tenant.send(`${channel}/text`, { to: recipient(channel), text: 'hello' });
    const later = await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'hello' });
    await messageWhen(tenant, on.body.id, ({ status }) => status === 'delivered');
    await messageWhen(tenant, later.body.id, ({ readAt }) => readAt !== null);
    expect((await tenant.message(on.body.id)).body.readAt).toBeNull();
  });
});

describe('the sandbox', () => {
  test('takes media on whatsapp and telegram', async () => {
    for (const channel of ['whatsapp', 'telegram']) {
      const media = {
        to: recipient(channel),
        type: 'image',
        url: 'https://media.invalid/a.png',
        caption: 'a',
      };
      const sent = await tenant.send(`${channel}/media`, media);
      const message = await messageWhen(tenant, sent.body.id, ({ status }) => status !== 'queued');
      expect(message).toMatchObject({ error: null, sentAt: timestamp });
    }
  });

  test('delivers every item of a bulk call, whatever becomes of the others', async () => {
    const endings = ['0001', '7777', '0004', '8888'];
    const messages = endings.map((ending) => ({ to: recipient('sms', ending), text: 'hello' }));
    const { body } = await tenant.send('sms/bulk', { messages });
    const ids: string[] = body.map(({ id }: { id: string }) => id);
    const statuses = async () => Promise.all(ids.map(async (id) => (await tenant.message(id)).body.status));
    const ended = await until(statuses, (seen) => !seen.includes('queued') && !seen.includes('sent'));
    expect(ended).toEqual(['failed', 'delivered', 'failed', 'delivered']);
  });
});
