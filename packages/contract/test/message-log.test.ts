import type { Response } from 'supertest';
import { kannelSettings, nowhere } from './gateway.ts';
import { openInbox, subscribe } from './inbox.ts';
import { problem } from './problem.ts';
import { messageWhen, newTenant, sendText, type Tenant } from './tenant.ts';
import { until } from './until.ts';
import { id, phone, recipient, someText, timestamp, unknownId } from './values.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** The message with its timeline, as soon as `done` holds for it. */
function shownWhen(
  messageId: string,
  done: (message: Response['body']) => boolean,
): Promise<Response['body']> {
  return until(async () => (await tenant.get(`/v1/messages/${messageId}`)).body, done);
}

function ofKind({ timeline }: Response['body'], kind: string): Response['body'][] {
  return timeline.filter((entry: Response['body']) => entry.kind === kind);
}

/** A message that waits, for nobody listens where its account leads. */
async function waiting(): Promise<string> {
  const account = { provider: 'http-sms', name: 'off', settings: kannelSettings(nowhere), isDefault: true };
  expect((await tenant.post('/v1/channel-accounts', account)).status).toBe(201);
  return sendText(tenant);
}

describe('GET /v1/messages', () => {
  test('lists newest first, page by page, as the look-up by key shows each', async () => {
    const ids: string[] = [];
    for (const ending of ['7777', '0001', '7777']) ids.push(await sendText(tenant, ending));
    await messageWhen(tenant, ids[1]!, ({ status }) => status === 'failed');
    const first = await tenant.get('/v1/messages?limit=2');
    expect(first).toMatchObject({ status: 200, body: { nextCursor: someText, searchedTo: timestamp } });
    const second = await tenant.get(`/v1/messages?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ nextCursor: null, searchedTo: null });
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ messageId }) => messageId)).toEqual(ids.toReversed());
    expect(listed[1]).toEqual((await tenant.message(ids[1]!)).body);
  });

  test('shows what fits all filters', async () => {
    const { body } = await tenant.send('telegram/text', { to: recipient('telegram', '0001'), text: 'hi' });
    await sendText(tenant, '0001');
    await messageWhen(tenant, body.id, ({ status }) => status === 'failed');
    const query = new URLSearchParams({ channel: 'telegram', status: 'failed', to: body.to });
    const found = await tenant.get(`/v1/messages?${query.toString()}`);
    expect(found.body.data).toMatchObject([{ messageId: body.id, status: 'failed' }]);
    query.set('until', body.createdAt);
    expect((await tenant.get(`/v1/messages?${query.toString()}`)).body.data).toEqual([]);
  });

  test.each([
    ['status', 'read'],
    ['channel', 'fax'],
    ['channelAccountId', 'x'],
    ['from', 'yesterday'],
    ['limit', '0'],
    ['cursor', 'x'],
    ['nonsense', 'x'],
  ])('names %s when it is at fault', async (name, value) => {
    const answer = await tenant.get(`/v1/messages?${name}=${value}`);
    expect(answer).toMatchObject(problem('invalid-request', `query/${name}`));
  });
});

describe('GET /v1/messages/:id', () => {
  test('tells the whole story: attempts, receipts, events and deliveries', async () => {
    await using inbox = await openInbox();
    inbox.behave({ status: 500, body: 'not today' });
    const webhook = await subscribe(tenant, inbox, ['message.queued']);
    const messageId = await sendText(tenant, '0002');
    const shown = await shownWhen(
      messageId,
      (message) => message.status === 'delivered' && ofKind(message, 'delivery')[0]?.attempts > 0,
    );
    expect(shown).toMatchObject({
      ...(await tenant.message(messageId)).body,
      accountName: someText,
      accountProvider: 'sandbox',
      cancelable: false,
      nextAttemptAt: null,
      resendOf: null,
      resentAs: null,
    });
    expect(ofKind(shown, 'attempt')).toMatchObject([
      { number: 1, outcome: 'retry', text: someText },
      { number: 2, outcome: 'retry' },
      { number: 3, outcome: 'accepted', endedAt: timestamp, durationMs: expect.any(Number) },
    ]);
    expect(ofKind(shown, 'receipt')).toMatchObject([
      { status: 'delivered', part: null, errorCode: null, at: timestamp },
    ]);
    expect(ofKind(shown, 'event')).toMatchObject(
      ['queued', 'sent', 'delivered'].map((kind, index) => ({
        event: `message.${kind}`,
        sequence: index + 1,
        eventId: id('evt'),
      })),
    );
    expect(ofKind(shown, 'delivery')).toMatchObject([
      {
        webhookId: webhook.id,
        deliveryId: id('dlv'),
        eventId: ofKind(shown, 'event')[0].eventId,
        event: 'message.queued',
        url: inbox.url,
        state: 'waiting',
        lastAttempt: { status: 500, error: null, at: timestamp },
        nextAttemptAt: timestamp,
        endedAt: null,
      },
    ]);
    const times = shown.timeline.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
  }, 90_000);

  test('answers 404 for what is no message of the tenant’s', async () => {
    for (const unknown of [unknownId('msg'), 'nonsense', '%00', 'x'.repeat(1_000)])
      expect(await tenant.get(`/v1/messages/${unknown}`)).toMatchObject(problem('not-found'));
  });
});

describe('POST /v1/messages', () => {
  test('sends a text with the session, which goes its way as any', async () => {
    const body = { channel: 'sms', to: phone(), text: 'a test' };
    const sent = await tenant.post('/v1/messages', body);
    expect(sent).toMatchObject({ status: 202, body: { id: id('msg'), status: 'queued', to: body.to } });
    expect(sent.headers).toMatchObject({ 'ratelimit-limit': someText, 'ratelimit-remaining': someText });
    await messageWhen(tenant, sent.body.id, ({ status }) => status === 'delivered');
  });

  test.each([
    ['invalid-request', 'body/channel', { to: phone(), text: 'x' }],
    ['invalid-request', 'body/to', { channel: 'sms', text: 'x' }],
    ['invalid-recipient', 'body/to', { channel: 'sms', to: 'ada', text: 'x' }],
    ['invalid-request', 'body/test', { channel: 'sms', to: phone(), text: 'x', test: true }],
  ] as const)('answers %s about %s', async (code, at, body) => {
    expect(await tenant.post('/v1/messages', body)).toMatchObject(problem(code, at));
  });
});

describe('POST /v1/messages/:id/cancel', () => {
  test('fails a message that waits, and webhooks hear of it', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.failed']);
    const messageId = await waiting();
    // Between its attempts it waits.
    const canceled = await until(
      () => tenant.post(`/v1/messages/${messageId}/cancel`),
      ({ status }) => status !== 409,
    );
    expect(canceled).toMatchObject({ status: 200, body: { status: 'failed', errorCode: 'canceled' } });
    const [told] = await inbox.atLeast(1);
    expect(told?.event).toMatchObject({ messageId, event: 'message.failed', errorCode: 'canceled' });
    const again = await tenant.post(`/v1/messages/${messageId}/cancel`);
    expect(again).toMatchObject(problem('not-cancelable'));
  });

  test('refuses what was sent', async () => {
    const messageId = await sendText(tenant);
    await messageWhen(tenant, messageId, ({ status }) => status === 'delivered');
    const refused = await tenant.post(`/v1/messages/${messageId}/cancel`);
    expect(refused).toMatchObject(problem('not-cancelable'));
  });
});

describe('POST /v1/messages/:id/resend', () => {
  test('sends a failed message again, once, however often it is asked for at the same time', async () => {
    const messageId = await sendText(tenant, '0001');
    await messageWhen(tenant, messageId, ({ status }) => status === 'failed');
    const answers = await Promise.all([1, 2].map(() => tenant.post(`/v1/messages/${messageId}/resend`)));
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 202,
        body: { id: answers[0]!.body.id, resendOf: messageId, possibleDuplicate: false },
      });
    const { id: newId } = answers[0]!.body;
    expect(newId).not.toBe(messageId);
    const failed = await shownWhen(newId, ({ status }) => status === 'failed');
    expect(failed).toMatchObject({ resendOf: messageId, body: { text: 'hello' } });
    expect((await tenant.get(`/v1/messages/${messageId}`)).body.resentAs).toBe(newId);
  });

  test('refuses what has not failed, and fields it does not know', async () => {
    const messageId = await waiting();
    const path = `/v1/messages/${messageId}/resend`;
    expect(await tenant.post(path)).toMatchObject(problem('not-resendable'));
    expect(await tenant.post(path, { to: phone() })).toMatchObject(problem('invalid-request', 'body/to'));
  });
});
