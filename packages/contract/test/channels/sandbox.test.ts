import { messageWhen, newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { channels, lastStatus, recipient, someText, timestamp } from '../suite/values.ts';

let tenant: Tenant;
/** The ids of the messages to the sandbox, by channel and ending. All are sent at once, so that their waits overlap. */
const sent = new Map<string, string>();
beforeAll(async () => {
  tenant = await newTenant();
  const endings = ['7777', '0001', '0002', '0004', '0005', '0006'];
  const all = channels.flatMap((channel) => endings.map((ending) => ({ channel, ending })));
  for (const { channel, ending } of all) {
    const message = { to: recipient(channel, ending), text: 'hello' };
    const { body } = await tenant.send(`${channel}/text`, message);
    sent.set(`${channel} ${ending}`, body.id);
  }
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
  const last = lastStatus(channel);
  /** The message with this ending, as soon as it has the status. */
  const messageOf = async (ending: string, status: string) =>
    messageWhen(tenant, sent.get(`${channel} ${ending}`) ?? '', (message) => message.status === status);

  test(`is sent${channel === 'telegram' ? ', which is its end' : ', then delivered'}`, async () => {
    const message = await messageOf('7777', last);
    const deliveredAt = channel === 'telegram' ? null : timestamp;
    expect(message).toMatchObject({ sentAt: timestamp, deliveredAt, error: null, failedAt: null });
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
    const message = await messageOf('0002', last);
    expect(message).toMatchObject({ attempts: 3, error: null, errorCode: null, possibleDuplicate: false });
  });

  test(`ending in 0004 is accepted${channel === 'telegram' ? '' : ' and later reported failed'}`, async () => {
    const isReported = channel !== 'telegram';
    const message = await messageOf('0004', isReported ? 'failed' : 'sent');
    expect(message).toMatchObject({
      error: isReported ? someText : null,
      errorCode: isReported ? someText : null,
      sentAt: timestamp,
      failedAt: isReported ? timestamp : null,
      deliveredAt: null,
      attempts: 1,
    });
  });

  test('ending in 0005 takes 5 s', async () => {
    const message = await messageOf('0005', last);
    expect(msBetween(message.createdAt, message.sentAt)).toBeGreaterThanOrEqual(5_000);
  });

  test('ending in 0006 is throttled for 2 s, then sent', async () => {
    const message = await messageOf('0006', last);
    expect(msBetween(message.createdAt, message.sentAt)).toBeGreaterThanOrEqual(2_000);
    expect(message).toMatchObject({ error: null, errorCode: null, possibleDuplicate: false });
  });
});

describe('reports of the sandbox', () => {
  test('that a message was read come on whatsapp, and the status stays delivered', async () => {
    const { body } = await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'hello' });
    const message = await messageWhen(tenant, body.id, ({ readAt }) => readAt !== null);
    expect(message).toMatchObject({ status: 'delivered', readAt: timestamp, deliveredAt: timestamp });
  });

  test('that a message was read do not come on sms', async () => {
    const on = await tenant.send('sms/text', { to: recipient('sms'), text: 'hello' });
    const later = await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'hello' });
    await messageWhen(tenant, on.body.id, ({ status }) => status === 'delivered');
    await messageWhen(tenant, later.body.id, ({ readAt }) => readAt !== null);
    expect((await tenant.message(on.body.id)).body.readAt).toBeNull();
  });

  test('do not come on telegram: what it accepted ends at sent, and so does a group', async () => {
    const send = async (ending: string) => {
      const to = recipient('telegram', ending);
      return (await tenant.send('telegram/text', { to, text: 'hello' })).body.id as string;
    };
    const ids = [await send('7777'), await send('0004')];
    const route = { channel: 'telegram', to: recipient('telegram'), text: 'hello' };
    const next = { channel: 'sms', to: recipient('sms'), text: 'hello' };
    const { body: group } = await tenant.send('send', { routes: [route, next] });
    for (const id of ids) await messageWhen(tenant, id, ({ status }) => status === 'sent');
    const later = await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'hello' });
    await messageWhen(tenant, later.body.id, ({ readAt }) => readAt !== null);
    for (const id of ids)
      expect((await tenant.message(id)).body).toMatchObject({
        status: 'sent',
        deliveredAt: null,
        error: null,
      });
    const path = `/v1/notify/groups/${group.id}`;
    const { service, apiKey } = tenant;
    const statusOf = async () => (await service.call('get', path, { apiKey })).body.status as string;
    expect(await until(statusOf, (status) => status !== 'pending')).toBe('sent');
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
