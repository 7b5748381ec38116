import type { Response } from 'supertest';
import { openInbox, subscribe, verifyStandardSignature } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, chat, id, phone, recipient, timestamp, uuid, lastStatus } from '../suite/values.ts';

let tenant: Tenant;
const accounts = new Map<string, string>();
beforeAll(async () => {
  tenant = await newTenant();
  for (const channel of channels) accounts.set(channel, (await sandboxAccount(tenant, channel)).id);
});

function path(channel: string, to: string): string {
  return `/v1/consent/${accounts.get(channel)}/${encodeURIComponent(to)}`;
}

const put = (channel: string, to: string, status: string) => tenant.put(path(channel, to), { status });

describe('GET /v1/consent/:channelAccountId/:recipient', () => {
  test('knows nothing of a stranger', async () => {
    const to = phone();
    const { status, body } = await tenant.get(path('sms', to));
    expect(status).toBe(200);
    expect(body).toEqual({
      channelAccountId: accounts.get('sms'),
      channel: 'sms',
      recipient: to,
      status: null,
      source: null,
      changedAt: null,
      history: [],
    });
  });

  test('shows the status and every change, newest first', async () => {
    const to = phone();
    await put('sms', to, 'opted-out');
    await put('sms', to, 'opted-out');
    await put('sms', to, 'opted-in');
    await tenant.remove(path('sms', to));
    await put('sms', to, 'opted-out');
    const { body } = await tenant.get(path('sms', to));
    const change = { source: 'api', changedAt: timestamp, messageId: null, note: null };
    expect(body).toMatchObject({ status: 'opted-out', source: 'api', changedAt: timestamp });
    expect(body.history).toEqual(
      ['opted-out', 'removed', 'opted-in', 'opted-out'].map((status) => ({ status, ...change })),
    );
    expect(body.history[0].changedAt).toBe(body.changedAt);
  });

  test('keeps the note of a change, and of no change none', async () => {
    const to = phone();
    await put('sms', to, 'opted-out');
    const change = { status: 'opted-in', note: 'Asked by telephone,\nticket 4711' };
    expect((await tenant.put(path('sms', to), change)).status).toBe(200);
    await tenant.put(path('sms', to), { ...change, note: 'again' });
    const { history } = (await tenant.get(path('sms', to))).body;
    expect(history).toMatchObject([change, { status: 'opted-out', note: null }]);
  });

  test('takes a WhatsApp number with and without its plus for the same', async () => {
    const to = phone();
    await put('whatsapp', to.slice(1), 'opted-out');
    const { body } = await tenant.get(path('whatsapp', to));
    expect(body).toMatchObject({ recipient: to, status: 'opted-out' });
  });
});

describe('a recipient who opted out by the API', () => {
  test.each(channels)('gets no message on %s until they opt in', async (channel) => {
    const to = recipient(channel);
    const send = async () => (await tenant.send(`${channel}/text`, { to, text: 'hi' })).body.id;
    const { status, body } = await put(channel, to, 'opted-out');
    expect([status, body.status]).toEqual([200, 'opted-out']);
    const refused = await messageWhen(tenant, await send(), ({ status: now }) => now === 'failed');
    expect(refused).toMatchObject({ errorCode: 'recipient-opted-out' });
    expect((await put(channel, to, 'opted-in')).body.status).toBe('opted-in');
    await messageWhen(tenant, await send(), ({ status: now }) => now === lastStatus(channel));
  });

  test('gets messages again when the record is deleted', async () => {
    const to = phone();
    await put('sms', to, 'opted-out');
    expect(await tenant.remove(path('sms', to))).toMatchObject({ status: 204, text: '' });
    expect((await tenant.get(path('sms', to))).body).toMatchObject({ status: null, source: null });
    const { body } = await tenant.send('sms/text', { to, text: 'hi' });
    await messageWhen(tenant, body.id, ({ status }) => status === 'delivered');
  });

  test('gets messages of other accounts', async () => {
    const to = phone();
    await put('sms', to, 'opted-out');
    const { body } = await tenant.send('whatsapp/text', { to, text: 'hi' });
    const message = await messageWhen(tenant, body.id, ({ status }) => status !== 'queued');
    expect(message.errorCode).toBeNull();
  });

  test('does not get a message that waits while they opt out', async () => {
    // The sandbox throttles it for 2 s.
    const to = phone('0006');
    const { id } = (await tenant.send('sms/text', { to, text: 'hi' })).body;
    await put('sms', to, 'opted-out');
    const message = await messageWhen(tenant, id, ({ status }) => status !== 'queued');
    expect(message).toMatchObject({ status: 'failed', errorCode: 'recipient-opted-out', sentAt: null });
  });
});

describe('GET /v1/consent', () => {
  let other: Tenant;
  let lists: (query?: string) => Promise<Response['body']>;
  const people = Array.from({ length: 5 }, () => phone());
  beforeAll(async () => {
    other = await newTenant();
    const [sms, whatsapp] = [await sandboxAccount(other, 'sms'), await sandboxAccount(other, 'whatsapp')];
    const change = async (account: Response['body'], to: string, status: string) =>
      other.put(`/v1/consent/${account.id}/${encodeURIComponent(to)}`, { status });
    for (const to of people) await change(sms, to, 'opted-out');
    await change(sms, people[1]!, 'opted-in');
    await change(whatsapp, people[0]!, 'opted-in');
    lists = async (query = '') => (await other.get(`/v1/consent${query}`)).body;
  });
  const told = ({ data }: Response['body']) =>
    data.map((one: Response['body']) => `${one.channel} ${one.recipient} ${one.status}`);

  test('lists recipients, newest change first', async () => {
    const all = await lists();
    expect(told(all)).toEqual([
      `whatsapp ${people[0]} opted-in`,
      `sms ${people[1]} opted-in`,
      ...[4, 3, 2, 0].map((index) => `sms ${people[index]} opted-out`),
    ]);
    expect(all.nextCursor).toBeNull();
    expect(all.data[0]).toEqual({
      channelAccountId: uuid,
      channel: 'whatsapp',
      recipient: people[0],
      status: 'opted-in',
      source: 'api',
      changedAt: timestamp,
    });
  });

  test('pages through them, each one once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Response['body'] = await lists(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...told(page));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(told(await lists()));
  });

  test('filters by status, recipient and account', async () => {
    const { id } = await sandboxAccount(other, 'whatsapp');
    expect(told(await lists('?status=opted-in'))).toHaveLength(2);
    expect(told(await lists(`?channelAccountId=${id.toUpperCase()}`))).toHaveLength(1);
    for (const written of [encodeURIComponent(people[0]!), people[0]!, people[0]!.slice(1)])
      expect(told(await lists(`?recipient=${written}`))).toHaveLength(2);
    expect(told(await lists(`?recipient=${people[0]!.slice(1)}&status=opted-out`))).toHaveLength(1);
    expect(told(await lists(`?channelAccountId=${accounts.get('sms')}`))).toEqual([]);
  });

  test('leaves out removed accounts, and knows nothing of them', async () => {
    const { id } = (
      await tenant.post('/v1/channel-accounts', {
        provider: 'sandbox',
        name: 'gone',
        settings: { channel: 'sms' },
      })
    ).body;
    const to = phone();
    const at = `/v1/consent/${id}/${encodeURIComponent(to)}`;
    await tenant.put(at, { status: 'opted-out' });
    await tenant.remove(`/v1/channel-accounts/${id}`);
    expect(await tenant.get(at)).toMatchObject(problem('not-found'));
    expect(told((await tenant.get(`/v1/consent?recipient=${to.slice(1)}`)).body)).toEqual([]);
  });

  test.each([
    ['an unknown field', 'to=1', 'to'],
    ['an unknown status', 'status=removed', 'status'],
    ['an account that is none', 'channelAccountId=1', 'channelAccountId'],
    ['an empty recipient', 'recipient=', 'recipient'],
    ['a limit of 0', 'limit=0', 'limit'],
    ['a limit above 100', 'limit=101', 'limit'],
    ['a cursor that is none', 'cursor=x', 'cursor'],
  ])('refuses %s, naming it', async (_what, query, at) => {
    expect(await tenant.get(`/v1/consent?${query}`)).toMatchObject(problem('invalid-request', at));
  });
});

describe('PUT /v1/consent/:channelAccountId/:recipient', () => {
  test.each([
    ['no status', {}, 'status'],
    ['an unknown status', { status: 'removed' }, 'status'],
    ['an unknown field', { status: 'opted-out', source: 'keyword' }, 'source'],
    ['an empty note', { status: 'opted-in', note: '' }, 'note'],
    ['a long note', { status: 'opted-in', note: 'x'.repeat(501) }, 'note'],
  ])('refuses %s, naming it', async (_what, body, at) => {
    expect(await tenant.put(path('sms', phone()), body)).toMatchObject(problem('invalid-request', at));
  });

  test.each([
    ['sms', '4917012345678'],
    ['sms', 'ada'],
    ['whatsapp', 'ada'],
    ['telegram', '+4917012345678'],
    ['telegram', '@abc'],
  ])('refuses a recipient of %s that a send refuses: %s', async (channel, to) => {
    for (const call of [tenant.get, tenant.remove, (at: string) => tenant.put(at, { status: 'opted-out' })])
      expect(await call(path(channel, to))).toMatchObject(problem('invalid-recipient', 'recipient'));
  });

  test('takes a chat of Telegram by its id or its name', async () => {
    for (const to of [chat(), `-100${chat()}`, '@ada_lovelace'])
      expect((await put('telegram', to, 'opted-out')).body).toMatchObject({ recipient: to });
  });

  test('answers 404 for an account that is none', async () => {
    expect(await tenant.put('/v1/consent/x/1', { status: 'opted-out' })).toMatchObject(problem('not-found'));
  });
});

describe('a change of consent', () => {
  test('is a signed event for webhooks that name it, once', async () => {
    await using inbox = await openInbox();
    const { secret } = await subscribe(tenant, inbox, ['contact.opted-out', 'contact.opted-in']);
    const to = phone();
    for (const status of ['opted-out', 'opted-out', 'opted-in']) await put('whatsapp', to.slice(1), status);
    await tenant.remove(path('whatsapp', to));
    const deliveries = await inbox.atLeast(2, ({ event }) => event.to === to);
    const events = deliveries.map(({ event }) => event).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const body = {
      messageId: null,
      id: id('evt'),
      tenantId: tenant.id,
      channelAccountId: accounts.get('whatsapp'),
      provider: 'whatsapp',
      to,
      source: 'api',
      occurredAt: timestamp,
      sequence: null,
    };
    expect(events).toEqual([
      { event: 'contact.opted-out', ...body },
      { event: 'contact.opted-in', ...body },
    ]);
    for (const delivery of deliveries)
      expect(verifyStandardSignature(secret, delivery)).toEqual(delivery.event);
  });

  test('is no event for webhooks with the usual events', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const to = phone();
    await put('sms', to, 'opted-out');
    await put('sms', to, 'opted-in');
    const { body } = await tenant.send('sms/text', { to, text: 'hi' });
    await messageWhen(tenant, body.id, ({ status }) => status === 'delivered');
    const about = ({ event }: { event: Response['body'] }) => event.to === to;
    const events = (await inbox.atLeast(3, about)).map(({ event }) => event.event);
    expect(new Set(events)).toEqual(new Set(['message.queued', 'message.sent', 'message.delivered']));
  });
});

describe('DELETE /v1/consent/:channelAccountId/:recipient', () => {
  test('answers 204 when there is no record, and adds nothing to the history', async () => {
    const at = path('sms', phone());
    expect((await tenant.remove(at)).status).toBe(204);
    expect((await tenant.get(at)).body.history).toEqual([]);
  });
});

describe('a person who writes one of the words', () => {
  const write = async (account: string, from: string, text: string) =>
    (await tenant.post(`/v1/channel-accounts/${account}/simulate-inbound`, { from, text })).body.messageId;
  const of = async (account: string, to: string): Promise<Response['body']> =>
    (await tenant.get(`/v1/consent/${account}/${encodeURIComponent(to)}`)).body;

  test.each(['sms', 'whatsapp'])(
    'opts out and in again on %s, and the history names the messages',
    async (on) => {
      const [account, from] = [accounts.get(on)!, phone()];
      const stop = await write(account, from, ' Stop. ');
      expect(await of(account, from)).toMatchObject({ status: 'opted-out', source: 'keyword' });
      const { body } = await tenant.send(`${on}/text`, { to: from, text: 'hi' });
      const refused = await messageWhen(tenant, body.id, ({ status }) => status === 'failed');
      expect(refused.errorCode).toBe('recipient-opted-out');
      const start = await write(account, from, 'START');
      expect((await of(account, from)).history).toMatchObject([
        { status: 'opted-in', source: 'keyword', messageId: start },
        { status: 'opted-out', source: 'keyword', messageId: stop },
      ]);
    },
  );

  test('changes nothing with other words, with HELP, or on Telegram', async () => {
    const from = phone();
    for (const text of ['please stop', 'HELP', 'INFO', 'hello'])
      await write(accounts.get('sms')!, from, text);
    expect(await of(accounts.get('sms')!, from)).toMatchObject({ status: null, history: [] });
    const person = chat();
    await write(accounts.get('telegram')!, person, 'STOP');
    expect((await of(accounts.get('telegram')!, person)).status).toBeNull();
  });

  test('is understood in the words of the account alone', async () => {
    const settings = { channel: 'telegram', keywords: { stop: ['/Стоп'], start: ['/старт'] } };
    const account = { provider: 'sandbox', name: 'words', settings };
    const made = (await tenant.post('/v1/channel-accounts', account)).body.id;
    const person = chat();
    await write(made, person, 'STOP');
    expect((await of(made, person)).status).toBeNull();
    await write(made, person, '/СТОП');
    expect((await of(made, person)).status).toBe('opted-out');
    await write(made, person, '/Старт!');
    expect((await of(made, person)).status).toBe('opted-in');
    await tenant.patch(`/v1/channel-accounts/${made}`, { settings: { keywords: { stop: [] } } });
    await write(made, person, '/СТОП');
    expect((await of(made, person)).status).toBe('opted-in');
  });
});

describe('settings.keywords', () => {
  const create = (keywords: unknown) =>
    tenant.post('/v1/channel-accounts', {
      provider: 'sandbox',
      name: 'words',
      settings: { channel: 'sms', keywords },
    });

  test('are stored in any language, list by list', async () => {
    const keywords = { stop: ['стоп', '停止'], start: [] };
    const { status, body } = await create(keywords);
    expect([status, body.settings.keywords]).toEqual([201, keywords]);
    const changed = { settings: { keywords: { start: ['да'] } } };
    const { body: account } = await tenant.patch(`/v1/channel-accounts/${body.id}`, changed);
    expect(account.settings.keywords).toEqual({ stop: keywords.stop, start: ['да'] });
  });

  test.each([
    [{ stop: ['no'], start: ['No!'] }, 'keywords/start/0'],
    [{ stop: ['yes'] }, 'keywords/stop/0'],
    [{ stop: 'no' }, 'keywords/stop'],
    [{ help: [] }, 'keywords/help'],
  ])('%j are refused, naming the word', async (keywords, at) => {
    expect(await create(keywords)).toMatchObject(problem('invalid-request', at));
  });
});
