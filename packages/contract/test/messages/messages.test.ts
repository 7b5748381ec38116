import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, type Tenant } from '../suite/tenant.ts';
import {
  channels,
  phone,
  recipient,
  someText,
  timestamp,
  unknownId,
  withoutPrefix,
} from '../suite/values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe('GET /v1/notify/messages/:id', () => {
  test.each(channels)(
    'answers a fresh message on %s, with null for what is not known yet',
    async (channel) => {
      const to = recipient(channel, '0005');
      const sent = (await tenant.send(`${channel}/text`, { to, text: 'hello' })).body;
      const { status, body } = await tenant.message(sent.id);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        messageId: sent.id,
        channelAccountId: sent.channelAccountId,
        status: 'queued',
        provider: channel,
        to,
        type: 'text',
        body: { text: 'hello' },
        externalId: null,
        error: null,
        errorCode: null,
        sentAt: null,
        deliveredAt: null,
        readAt: null,
        failedAt: null,
        createdAt: sent.createdAt,
        updatedAt: timestamp,
        expiresAt: timestamp,
        segments: null,
        possibleDuplicate: false,
      });
      expect(body.attempts).toBeLessThanOrEqual(1);
    },
  );

  test('answers a media message with its body', async () => {
    const content = { type: 'document', url: 'https://example.com/a.pdf', caption: 'a', filename: 'a.pdf' };
    const sent = (await tenant.send('whatsapp/media', { to: phone(), ...content })).body;
    const { body } = await tenant.message(sent.id);
    expect(body).toMatchObject({ type: 'document', body: content });
    expect(body.body).toEqual(content);
  });

  test('tells the provider’s id and the times once the message has gone through', async () => {
    const sent = (await tenant.send('sms/text', { to: phone(), text: 'hello' })).body;
    const message = await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
    expect(message).toMatchObject({
      externalId: someText,
      error: null,
      errorCode: null,
      sentAt: timestamp,
      deliveredAt: timestamp,
      failedAt: null,
      attempts: 1,
    });
    expect(sent.createdAt <= message.sentAt).toBe(true);
    expect(message.sentAt <= message.deliveredAt).toBe(true);
    expect(message.deliveredAt <= message.updatedAt).toBe(true);
  });

  test('takes the id without its prefix, and in upper case', async () => {
    const sent = (await tenant.send('sms/text', { to: phone(), text: 'hello' })).body;
    for (const id of [withoutPrefix(sent.id), withoutPrefix(sent.id).toUpperCase()]) {
      expect(await tenant.message(id)).toMatchObject({ status: 200, body: { messageId: sent.id } });
    }
  });

  test.each([
    unknownId('msg'),
    unknownId('key'),
    'msg_',
    'nonsense',
    '%00',
    '__proto__',
    "'--",
    'x'.repeat(1_000),
  ])('answers 404 for %s', async (unknown) => {
    expect(await tenant.message(unknown)).toMatchObject(problem('not-found'));
  });
});

describe('the time limit of a message', () => {
  test.each([
    ['24 hours, when none is asked for', {}, 86_400],
    ['24 hours, when null is asked for', { expiresInSeconds: null }, 86_400],
    ['what is asked for', { expiresInSeconds: 45 }, 45],
  ])('is %s', async (_what, asked, seconds) => {
    const sent = (await tenant.send('sms/text', { to: phone(), text: 'hello', ...asked })).body;
    const { createdAt, expiresAt } = (await tenant.message(sent.id)).body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(seconds * 1_000);
  });
});

describe('segments of an sms', () => {
  test.each([
    ['160 GSM-7 characters', 'x'.repeat(160), 1],
    ['161 GSM-7 characters', 'x'.repeat(161), 2],
    ['135 UCS-2 characters', 'ж'.repeat(135), 3],
  ])('are counted: %s', async (_what, text, segments) => {
    const sent = (await tenant.send('sms/text', { to: phone(), text })).body;
    const message = await messageWhen(tenant, sent.id, ({ status }) => status === 'delivered');
    expect(message.segments).toBe(segments);
  });
});
