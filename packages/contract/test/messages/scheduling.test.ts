import { openInbox, subscribe } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { channels, phone, recipient, timestamp, unknownId } from '../suite/values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** So many ms from now. The times of the service and of this process may differ by less than this suite notices. */
const inTime = (ms: number): string => new Date(Date.now() + ms).toISOString();
const text = (change: object = {}) => ({ to: phone(), text: 'hello', ...change });
const scheduled = async (sendAt = inTime(hourMs)): Promise<string> =>
  (await tenant.send('sms/text', text({ sendAt }))).body.id;

describe('sendAt', () => {
  const contents = {
    text: { text: 'hello' },
    media: { type: 'image', url: 'https://example.com/a.png' },
  };

  test.each(Object.entries(contents))('schedules a %s', async (path, content) => {
    const sendAt = inTime(hourMs);
    const answer = await tenant.send(`whatsapp/${path}`, { to: recipient('whatsapp'), ...content, sendAt });
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued', scheduledAt: sendAt } });
    expect((await tenant.message(answer.body.id)).body).toMatchObject({
      status: 'queued',
      scheduledAt: sendAt,
    });
  });

  test('schedules a template', async () => {
    const { id } = await sandboxAccount(tenant, 'sms');
    const list = async () => (await tenant.get(`/v1/channel-accounts/${id}/templates`)).body;
    const { data } = await until(list, ({ syncedAt }) => syncedAt !== null);
    const sendAt = inTime(hourMs);
    const answer = await tenant.send('sms/template', { to: phone(), template: data[0].example, sendAt });
    expect(answer).toMatchObject({ status: 202, body: { type: 'template', scheduledAt: sendAt } });
  });

  test.each(channels)('schedules a message that a person sends on %s', async (channel) => {
    const sendAt = inTime(hourMs);
    const answer = await tenant.post('/v1/messages', { channel, to: recipient(channel), text: 'hi', sendAt });
    expect(answer).toMatchObject({ status: 202, body: { scheduledAt: sendAt } });
    const shown = (await tenant.get(`/v1/messages/${answer.body.id}`)).body;
    expect(shown).toMatchObject({
      scheduledAt: sendAt,
      cancelable: true,
      nextAttemptAt: sendAt,
      standing: { code: 'scheduled', until: sendAt },
      expiresAt: new Date(Date.parse(sendAt) + dayMs).toISOString(),
    });
  });

  test('is null in the answers about a message without one', async () => {
    const { body } = await tenant.send('sms/text', text());
    expect(body.scheduledAt).toBeNull();
    expect((await tenant.message(body.id)).body.scheduledAt).toBeNull();
    expect((await tenant.send('sms/text', text({ sendAt: null }))).body.scheduledAt).toBeNull();
  });

  test('may have any offset, and is answered in UTC', async () => {
    const at = Math.ceil(Date.now() / 1_000) * 1_000 + hourMs;
    const local = new Date(at + 5.5 * hourMs).toISOString().slice(0, 19);
    const { body } = await tenant.send('sms/text', text({ sendAt: `${local}+05:30` }));
    expect(body.scheduledAt).toBe(new Date(at).toISOString());
  });

  test.each([
    ['two minutes ago', () => inTime(-120_000)],
    ['31 days ahead', () => inTime(31 * dayMs)],
    ['in the year 0', () => '0000-01-01T00:00:00Z'],
    ['before the year 0 in UTC', () => '0000-01-01T00:00:00+14:00'],
    ['in the year 9999', () => '9999-12-31T23:59:59-14:00'],
  ])('of %s is refused; in a bulk call, that item fails', async (_what, sendAt) => {
    const refused = await tenant.send('sms/text', text({ sendAt: sendAt() }));
    expect(refused).toMatchObject(problem('invalid-request', 'body/sendAt'));
    const messages = [text({ sendAt: sendAt() }), text()];
    const bulk = await tenant.send('sms/bulk', { messages });
    expect(bulk).toMatchObject({
      status: 202,
      body: [
        { status: 'failed', errorCode: 'invalid-send-at' },
        { status: 'queued', scheduledAt: null },
      ],
    });
  });

  test.concurrent('of half a minute ago means now', async () => {
    const { body, status } = await tenant.send('sms/text', text({ sendAt: inTime(-30_000) }));
    expect(status).toBe(202);
    await messageWhen(tenant, body.id, (message) => message.status === 'delivered');
  });

  test.concurrent('does not hold up message.queued', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued']);
    const sendAt = inTime(hourMs);
    const { body } = await tenant.send('sms/bulk', { messages: [text({ sendAt })] });
    const [queued] = await inbox.atLeast(1, ({ event }) => event.messageId === body[0].id);
    expect(Date.parse(String(queued?.event.occurredAt))).toBeLessThan(Date.parse(sendAt));
  });

  test.concurrent('is kept, also by bulk items', async () => {
    const messages = [text({ sendAt: inTime(4_000) }), text({ sendAt: inTime(3_000) })];
    const { body } = await tenant.send('sms/bulk', { messages });
    for (const { id } of body) {
      const sent = await messageWhen(tenant, id, ({ status }) => status === 'delivered');
      expect(Date.parse(sent.sentAt)).toBeGreaterThanOrEqual(Date.parse(sent.scheduledAt));
    }
  });

  test('counts for idempotency as the moment that it names', async () => {
    const request = text({ idempotencyKey: crypto.randomUUID(), sendAt: '2099-01-01T00:00:00Z' });
    const at = new Date(Math.ceil((Date.now() + hourMs) / 1_000) * 1_000);
    const first = await tenant.send('sms/text', { ...request, sendAt: at.toISOString() });
    expect(first.status).toBe(202);
    const same = `${new Date(at.getTime() + hourMs).toISOString().slice(0, 19)}+01:00`;
    expect((await tenant.send('sms/text', { ...request, sendAt: same })).body).toEqual(first.body);
    for (const sendAt of [undefined, new Date(at.getTime() + 1).toISOString()])
      expect(await tenant.send('sms/text', { ...request, sendAt })).toMatchObject(
        problem('idempotency-key-reused'),
      );
  });

  test.concurrent('of a repeat may have passed', async () => {
    const request = text({ idempotencyKey: crypto.randomUUID(), sendAt: inTime(-30_000) });
    const first = await tenant.send('sms/text', request);
    expect(first.status).toBe(202);
    await messageWhen(tenant, first.body.id, ({ status }) => status === 'delivered');
    expect((await tenant.send('sms/text', request)).body).toEqual(first.body);
  });
});

describe('PATCH /v1/messages/:id', () => {
  const patch = (id: string, body: object) => tenant.patch(`/v1/messages/${id}`, body);

  test.concurrent('changes when a waiting message is sent, and its expiry', async () => {
    const id = await scheduled();
    const later = inTime(2 * dayMs);
    const expiresAt = new Date(Date.parse(later) + dayMs).toISOString();
    expect(await patch(id, { sendAt: later })).toMatchObject({
      status: 200,
      body: { messageId: id, status: 'queued', scheduledAt: later, expiresAt, updatedAt: timestamp },
    });
    const now = inTime(-1_000);
    expect(await patch(id, { sendAt: now })).toMatchObject({ status: 200, body: { scheduledAt: now } });
    await messageWhen(tenant, id, ({ status }) => status === 'delivered');
    expect(await patch(id, { sendAt: later })).toMatchObject(problem('not-changeable'));
  });

  test.concurrent('brings a message forward to a moment', async () => {
    const id = await scheduled();
    const sendAt = inTime(3_000);
    await patch(id, { sendAt });
    const sent = await messageWhen(tenant, id, ({ status }) => status === 'delivered');
    expect(Date.parse(sent.sentAt)).toBeGreaterThanOrEqual(Date.parse(sendAt));
  });

  test.each([
    ['no sendAt', {}, 'body/sendAt'],
    ['a sendAt of null', { sendAt: null }, 'body/sendAt'],
    ['a sendAt in words', { sendAt: 'tomorrow' }, 'body/sendAt'],
    ['an old sendAt', { sendAt: inTime(-dayMs) }, 'body/sendAt'],
    ['a sendAt too far ahead', { sendAt: inTime(31 * dayMs) }, 'body/sendAt'],
    ['an unknown field', { sendAt: inTime(hourMs), text: 'x' }, 'body/text'],
  ])('refuses %s', async (_what, body, at) => {
    expect(await patch(await scheduled(), body)).toMatchObject(problem('invalid-request', at));
  });

  test('knows neither unknown messages nor those of others', async () => {
    const id = await scheduled();
    const stranger = await newTenant();
    const body = { sendAt: inTime(hourMs) };
    expect(await stranger.patch(`/v1/messages/${id}`, body)).toMatchObject(problem('not-found'));
    expect(await patch(unknownId('msg'), body)).toMatchObject(problem('not-found'));
  });
});

test('a scheduled message can be canceled, by session and by key', async () => {
  const key = await newKey(tenant.service, tenant.accessToken, 10_000, { scopes: ['cancel'] });
  const [first, second] = [await scheduled(), await scheduled()];
  const canceled = { status: 200, body: { status: 'failed', errorCode: 'canceled' } };
  expect(await tenant.post(`/v1/messages/${first}/cancel`)).toMatchObject(canceled);
  const byKey = await tenant.service.call('post', `/v1/notify/messages/${second}/cancel`, { apiKey: key });
  expect(byKey).toMatchObject(canceled);
  expect(await tenant.post(`/v1/messages/${first}/cancel`)).toMatchObject(problem('not-cancelable'));
});

describe('the list', () => {
  test('of scheduled messages has those that wait for their time, page by page', async () => {
    const owner = await newTenant();
    const ids: string[] = [];
    for (const sendAt of [inTime(hourMs), null, inTime(50_000), inTime(dayMs)])
      ids.push((await owner.send('sms/text', text({ sendAt }))).body.id);
    const [far, now, near, farther] = ids;
    const list = async (query: string) => (await owner.get(`/v1/messages?${query}`)).body;
    const idsOf = ({ data }: { data: { messageId: string }[] }) => data.map(({ messageId }) => messageId);
    expect(idsOf(await list('scheduled=true'))).toEqual([farther, near, far]);
    expect(idsOf(await list('scheduled=false'))).toEqual([now]);
    const first = await list('scheduled=true&limit=2');
    expect(idsOf(first)).toEqual([farther, near]);
    const second = await list(`scheduled=true&limit=2&cursor=${first.nextCursor}`);
    expect(idsOf(second)).toEqual([far]);
    expect(second.nextCursor).toBeNull();
    expect(idsOf(await list('scheduled=true&channel=telegram'))).toEqual([]);
    const stranger = await newTenant();
    expect((await stranger.get('/v1/messages?scheduled=true')).body.data).toEqual([]);
  });
});

describe('POST /v1/messages/cancel', () => {
  const cancelMany = (owner: Tenant, filter: unknown, more: object = {}) =>
    owner.post('/v1/messages/cancel', { filter, ...more });

  test('counts and cancels what matches, and each message gets its event', async () => {
    const owner = await newTenant();
    await using inbox = await openInbox();
    await subscribe(owner, inbox, ['message.failed']);
    const to = phone();
    const send = async (change: object) => (await owner.send('sms/text', text(change))).body.id as string;
    const [first, second] = [
      await send({ to, sendAt: inTime(hourMs) }),
      await send({ to, sendAt: inTime(50_000) }),
    ];
    const others = [await send({ sendAt: inTime(hourMs) }), await send({ to, sendAt: inTime(dayMs) })];
    const filter = {
      to,
      channel: 'sms',
      scheduled: true,
      scheduledFrom: inTime(0),
      scheduledUntil: inTime(2 * hourMs),
    };
    const dry = await cancelMany(owner, filter, { dryRun: true });
    expect(dry).toMatchObject({ status: 200, body: { matched: 2, canceled: 0, more: false } });
    const real = await cancelMany(owner, filter);
    expect(real.body).toEqual({ matched: 2, canceled: 2, more: false });
    expect((await cancelMany(owner, filter)).body).toEqual({ matched: 0, canceled: 0, more: false });
    const told = await inbox.atLeast(2);
    expect(new Set(told.map(({ event }) => event.messageId))).toEqual(new Set([first, second]));
    for (const { event } of told)
      expect(event).toMatchObject({ event: 'message.failed', errorCode: 'canceled' });
    for (const id of others) expect((await owner.message(id)).body.status).toBe('queued');
    const accepted = await cancelMany(owner, {
      from: inTime(-hourMs),
      until: inTime(hourMs),
      scheduled: false,
    });
    expect(accepted.body).toEqual({ matched: 0, canceled: 0, more: false });
    expect((await cancelMany(owner, { status: 'queued' })).body).toEqual({
      matched: 2,
      canceled: 2,
      more: false,
    });
  });

  test.each([
    ['no filter', {}, 'body/filter'],
    ['a filter of null', { filter: null }, 'body/filter'],
    ['an empty filter', { filter: {} }, 'body/filter'],
    ['a filter of nulls', { filter: { to: null } }, 'body/filter'],
    ['another status', { filter: { status: 'failed' } }, 'body/filter/status'],
    ['an unknown field', { filter: { recipient: 'x' } }, 'body/filter/recipient'],
    ['a time in words', { filter: { from: 'today' } }, 'body/filter/from'],
    ['times in the wrong order', { filter: { from: inTime(hourMs), until: inTime(0) } }, 'body/filter/until'],
    ['a dryRun in words', { filter: { to: phone() }, dryRun: 'yes' }, 'body/dryRun'],
  ])('refuses %s', async (_what, body, at) => {
    expect(await tenant.post('/v1/messages/cancel', body)).toMatchObject(problem('invalid-request', at));
  });

  test('cancels nothing of others, and a narrowed key only what is its accounts’', async () => {
    const owner = await newTenant();
    const { id: accountId } = await sandboxAccount(owner, 'sms');
    const sms = (await owner.send('sms/text', text({ sendAt: inTime(hourMs) }))).body.id;
    const chat = { to: recipient('telegram'), text: 'hi', sendAt: inTime(hourMs) };
    const telegram = (await owner.send('telegram/text', chat)).body.id;
    const stranger = await newTenant();
    expect((await cancelMany(stranger, { status: 'queued' })).body.matched).toBe(0);
    const narrowing = { scopes: ['cancel'], channelAccountIds: [accountId] };
    const apiKey = await newKey(owner.service, owner.accessToken, 10_000, narrowing);
    const body = { filter: { status: 'queued' } };
    const byKey = await owner.service.call('post', '/v1/notify/messages/cancel', { apiKey, body });
    expect(byKey.body).toEqual({ matched: 1, canceled: 1, more: false });
    expect((await owner.message(sms)).body).toMatchObject({ status: 'failed', errorCode: 'canceled' });
    expect((await owner.message(telegram)).body.status).toBe('queued');
  });
});

test('a resend of a canceled scheduled message leaves at once, with the lifetime of the first', async () => {
  const sendAt = inTime(5 * dayMs);
  const { body } = await tenant.send('sms/text', text({ sendAt, expiresInSeconds: 600 }));
  await tenant.post(`/v1/messages/${body.id}/cancel`);
  const resent = (await tenant.post(`/v1/messages/${body.id}/resend`)).body;
  expect(resent).toMatchObject({ status: 'queued', scheduledAt: null });
  const sent = await messageWhen(tenant, resent.id, ({ status }) => status === 'delivered');
  expect(Date.parse(sent.expiresAt) - Date.parse(sent.createdAt)).toBe(600_000);
});
