import type { Response } from 'supertest';
import { kannelSettings, nowhere } from '../suite/gateway.ts';
import { openInbox, subscribe } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sendText, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, phone, recipient, someText, timestamp, unknownId, withoutPrefix } from '../suite/values.ts';

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
  test('lists newest first, page by page, as the look-up by id shows each', async () => {
    const ids: string[] = [];
    for (const ending of ['7777', '0001', '7777']) ids.push(await sendText(tenant, ending));
    await messageWhen(tenant, ids[1]!, ({ status }) => status === 'failed');
    const first = await tenant.get('/v1/messages?limit=2');
    expect(first).toMatchObject({ status: 200, body: { nextCursor: someText, searchedTo: timestamp } });
    const second = await tenant.get(`/v1/messages?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ nextCursor: null, searchedTo: null });
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ messageId }) => messageId)).toEqual(ids.toReversed());
    expect((await tenant.get(`/v1/messages/${ids[1]}`)).body).toMatchObject(listed[1]);
    const { apiKeyId: _, idempotencyKey: __, ...byKey } = listed[1];
    expect((await tenant.message(ids[1]!)).body).toEqual(byKey);
  });

  test('shows what fits all filters', async () => {
    const send = async (channel: string, to: string) =>
      (await tenant.send(`${channel}/text`, { to, text: 'hi' })).body;
    const telegram = await send('telegram', recipient('telegram', '0001'));
    const [first, second] = [await send('sms', phone('7777')), await send('sms', phone('8888'))];
    await messageWhen(tenant, telegram.id, ({ status }) => status === 'failed');
    const found = async (query: Record<string, string>): Promise<string[]> => {
      const { body } = await tenant.get(`/v1/messages?${new URLSearchParams(query).toString()}`);
      return body.data.map(({ messageId }: { messageId: string }) => messageId);
    };
    const failed = { channel: 'telegram', status: 'failed', to: telegram.to };
    expect(await found(failed)).toEqual([telegram.id]);
    expect(await found({ ...failed, until: telegram.createdAt })).toEqual([]);
    expect(await found({ ...failed, status: 'queued' })).toEqual([]);
    expect(await found({ until: second.createdAt })).toEqual([first.id, telegram.id]);
    expect(await found({ from: second.createdAt })).toEqual([second.id]);
    expect(await found({ to: second.to.slice(1) })).toEqual([second.id]);
    const account = telegram.channelAccountId.toUpperCase();
    expect(await found({ channelAccountId: account })).toEqual([telegram.id]);
  });

  /** Ids of the messages that a query lists. */
  const foundBy = async (query: Record<string, string>, list = tenant.get): Promise<string[]> => {
    const { body } = await list(`/v1/messages?${new URLSearchParams(query).toString()}`);
    expect(body.nextCursor).toBeNull();
    return body.data.map(({ messageId }: { messageId: string }) => messageId);
  };

  test('finds what failed with a code, and what has an ID of the provider', async () => {
    const failed = [await sendText(tenant, '0001'), await sendText(tenant, '0001')];
    const sent = await sendText(tenant);
    for (const one of failed) await messageWhen(tenant, one, ({ status }) => status === 'failed');
    const { externalId, channelAccountId } = await messageWhen(
      tenant,
      sent,
      (message) => message.externalId !== null,
    );
    const errorCode = 'recipient-rejected';
    expect(await foundBy({ errorCode })).toEqual(failed.toReversed());
    expect(await foundBy({ errorCode, channel: 'whatsapp' })).toEqual([]);
    expect(await foundBy({ errorCode: 'expired' })).toEqual([]);
    expect(await foundBy({ externalId })).toEqual([sent]);
    expect(await foundBy({ externalId, channelAccountId, status: 'failed' })).toEqual([]);
    expect(await foundBy({ externalId: externalId.slice(0, -1) })).toEqual([]);
  });

  test('finds by the idempotency key, and shows it and the API key to the tenant only', async () => {
    const key = (await tenant.post('/tenant/api-keys', { name: 'lists', scopes: ['send', 'read', 'list'] }))
      .body;
    const byKey = (method: 'get' | 'post', path: string, body?: object) =>
      tenant.service.call(method, path, { apiKey: key.key, ...(body === undefined ? {} : { body }) });
    const text = { to: phone(), text: 'hi', idempotencyKey: 'order 1+1' };
    const { id: first } = (await byKey('post', '/v1/notify/sms/text', text)).body;
    const { id: second } = (
      await tenant.post('/v1/messages', { channel: 'sms', ...text, idempotencyKey: 'b' })
    ).body;
    const shown = async (messageId: string) => (await tenant.get(`/v1/messages/${messageId}`)).body;
    const { idempotencyKey } = text;
    expect(await shown(first)).toMatchObject({
      id: first,
      messageId: first,
      apiKeyId: key.id,
      idempotencyKey,
    });
    expect(await shown(second)).toMatchObject({ id: second, apiKeyId: null, idempotencyKey: 'b' });
    expect(await foundBy({ idempotencyKey })).toEqual([first]);
    expect(await foundBy({ idempotencyKey, to: phone('9999') })).toEqual([]);
    expect(await foundBy({ idempotencyKey: 'c' })).toEqual([]);
    const list = `/v1/notify/messages?${new URLSearchParams({ idempotencyKey }).toString()}`;
    const [one] = (await byKey('get', list)).body.data;
    const looked = (await byKey('get', `/v1/notify/messages/${first}`)).body;
    for (const seen of [one, looked]) {
      expect(seen).toMatchObject({ id: first, messageId: first });
      expect(seen).not.toHaveProperty('apiKeyId');
      expect(seen).not.toHaveProperty('idempotencyKey');
    }
  });

  test('shows no idempotency key that a request did not have, or did not use up', async () => {
    const item = { to: 'ada', text: 'x', idempotencyKey: 'of an item' };
    const [unsent] = (await tenant.send('sms/bulk', { messages: [item] })).body;
    const failed = await sendText(tenant, '0001');
    await messageWhen(tenant, failed, ({ status }) => status === 'failed');
    const resent = (await tenant.post(`/v1/messages/${failed}/resend`)).body;
    expect(resent.messageId).toBe(resent.id);
    const { data } = (await tenant.get('/v1/messages')).body;
    expect(data).toMatchObject([
      { id: resent.id, idempotencyKey: null, apiKeyId: null },
      { id: failed, idempotencyKey: null, apiKeyId: id('key') },
      { id: unsent.messageId, idempotencyKey: null, apiKeyId: id('key') },
    ]);
    expect(await foundBy({ idempotencyKey: item.idempotencyKey })).toEqual([]);
  });

  test('finds all routes of a group and of a verification, which show the request that made them', async () => {
    const routes = ['0001', '0001'].map((ending) => ({ channel: 'sms', to: phone(ending), text: 'x' }));
    const made = (await tenant.send('send', { routes, idempotencyKey: 'of a group' })).body;
    const ended = await until(
      async () => (await tenant.get(`/v1/groups/${made.id}`)).body,
      ({ status }) => status === 'failed',
    );
    const ids = ended.messages.map(({ messageId }: { messageId: string }) => messageId).toReversed();
    expect(ids).toHaveLength(2);
    expect(await foundBy({ groupId: made.id })).toEqual(ids);
    expect(await foundBy({ groupId: withoutPrefix(made.id).toUpperCase(), errorCode: 'expired' })).toEqual(
      [],
    );
    expect(await foundBy({ idempotencyKey: 'of a group' })).toEqual(ids);
    const verification = { to: phone(), channel: 'sms', idempotencyKey: 'of a code' };
    expect((await tenant.send('verifications', verification)).status).toBe(202);
    const [code] = await foundBy({ idempotencyKey: 'of a code' });
    const { data } = (await tenant.get('/v1/messages')).body;
    const request = { apiKeyId: id('key'), idempotencyKey: 'of a group', groupId: made.id };
    expect(data).toMatchObject([
      { messageId: code, apiKeyId: id('key'), idempotencyKey: 'of a code', to: verification.to },
      { messageId: ids[0], ...request },
      { messageId: ids[1], ...request },
    ]);
  });

  test('takes a plus that was not escaped', async () => {
    const { body } = await tenant.send('sms/text', { to: phone(), text: 'hi' });
    const { data } = (await tenant.get(`/v1/messages?to=${body.to}`)).body;
    expect(data).toMatchObject([{ messageId: body.id }]);
  });

  test.each([
    ['status', 'status=read'],
    ['channel', 'channel=fax'],
    ['channelAccountId', 'channelAccountId=x'],
    ['to', 'to='],
    ['from', 'from=yesterday'],
    ['until', 'until=2026-02-30T00:00:00Z'],
    ['until', 'from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['cursor', 'cursor=x'],
    ['errorCode', 'errorCode='],
    ['externalId', 'externalId='],
    ['idempotencyKey', `idempotencyKey=${'x'.repeat(101)}`],
    ['groupId', 'groupId=x'],
    ['groupId', 'groupId=msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'],
    ['nonsense', 'nonsense=x'],
  ])('names %s when it is at fault: %s', async (name, query) => {
    const answer = await tenant.get(`/v1/messages?${query}`);
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
  });

  test('takes the id without its prefix, and in upper case', async () => {
    const messageId = await sendText(tenant);
    const { body } = await tenant.get(`/v1/messages/${withoutPrefix(messageId).toUpperCase()}`);
    expect(body).toMatchObject({ messageId });
  });

  test('answers 404 for what is no message of the tenant’s', async () => {
    for (const unknown of [unknownId('msg'), 'nonsense', '%00', 'x'.repeat(1_000)]) {
      const path = `/v1/messages/${unknown}`;
      const answers = [
        await tenant.get(path),
        await tenant.post(`${path}/cancel`),
        await tenant.post(`${path}/resend`),
      ];
      for (const answer of answers) expect(answer).toMatchObject(problem('not-found'));
    }
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

  test('is idempotent as other sends are, also together with one by key', async () => {
    const body = { to: phone(), text: 'once', idempotencyKey: 'k' };
    const answers = [
      await tenant.post('/v1/messages', { channel: 'sms', ...body }),
      await tenant.post('/v1/messages', { channel: 'sms', ...body }),
      await tenant.send('sms/text', body),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body: { id: messageId } }) => messageId)).size).toBe(1);
  });

  test.each([
    ['invalid-request', 'body/channel', { to: phone(), text: 'x' }],
    ['invalid-request', 'body/channel', { channel: 'fax', to: phone(), text: 'x' }],
    ['invalid-request', 'body/to', { channel: 'sms', text: 'x' }],
    ['invalid-request', 'body/text', { channel: 'sms', to: phone() }],
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
    expect(again.body.detail).toBe('The message has failed.');
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
    const asked = { to: phone('0001'), text: 'hello', expiresInSeconds: 90 };
    const { id: messageId } = (await tenant.send('sms/text', asked)).body;
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
    expect(Date.parse(failed.expiresAt) - Date.parse(failed.createdAt)).toBe(90_000);
    expect((await tenant.get(`/v1/messages/${messageId}`)).body.resentAs).toBe(newId);
  });

  test('refuses what has not failed, and fields it does not know', async () => {
    const messageId = await waiting();
    const path = `/v1/messages/${messageId}/resend`;
    const refused = await tenant.post(path);
    expect(refused).toMatchObject(problem('not-resendable'));
    expect(refused.body.detail).toBe('Its status is queued.');
    expect(await tenant.post(path, { to: phone() })).toMatchObject(problem('invalid-request', 'body/to'));
  });

  test('refuses a recipient that cannot be one, as any send does', async () => {
    const [failed] = (await tenant.send('sms/bulk', { messages: [{ to: 'ada', text: 'x' }] })).body;
    const refused = await tenant.post(`/v1/messages/${failed.id}/resend`);
    expect(refused).toMatchObject(problem('invalid-recipient'));
  });
});
