import { badSharedFields, changed } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { emoji, id, phone, recipient } from '../suite/values.ts';

/** Buttons and lists. */

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const buttons = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
];
const list = {
  button: 'Choose a day',
  sections: [
    { title: 'This week', rows: [{ id: 'mon', title: 'Monday', description: '9 to 12' }] },
    { title: 'Next week', rows: [{ id: 'tue', title: 'Tuesday' }] },
  ],
};
const link = [{ url: 'https://example.com/order/7', title: 'Your order' }];
const full = { text: 'Shall we come?', header: 'Delivery', footer: 'Thank you' };

type Channel = 'whatsapp' | 'telegram' | 'sms';

/** Each way to send, with where its content is in the request. */
const ways: readonly [string, string, (channel: Channel, content: object) => Promise<{ body: unknown }>][] = [
  [
    'interactive',
    'body',
    (channel, content) => tenant.send(`${channel}/interactive`, { to: recipient(channel), ...content }),
  ],
  [
    'bulk',
    'body/messages/0/interactive',
    (channel, interactive) =>
      tenant.send(`${channel}/bulk`, { messages: [{ to: recipient(channel), interactive }] }),
  ],
  [
    'messages',
    'body/interactive',
    (channel, interactive) => tenant.post('/v1/messages', { channel, to: recipient(channel), interactive }),
  ],
  [
    'send',
    'body/routes/0/interactive',
    (channel, interactive) =>
      tenant.post('/v1/groups', { routes: [{ channel, to: recipient(channel), interactive }] }),
  ],
];

/** The message that a send answered. */
function sentIn(body: unknown): Record<string, unknown> {
  const [sent] = [body].flat() as { messages?: Record<string, unknown>[] }[];
  return sent?.messages?.[0] ?? (sent as Record<string, unknown>);
}

describe.each(ways)('%s', (way, at, send) => {
  test.each([
    ['whatsapp', { ...full, buttons }],
    ['whatsapp', { ...full, list }],
    ['whatsapp', { text: 'Here it is.', buttons: link }],
    ['telegram', { ...full, buttons, fallback: 'numbered' }],
    ['telegram', { ...full, list }],
  ] as const)('takes what %s can show: %j', async (channel, interactive) => {
    const { body, ...answer } = await send(channel, interactive);
    expect(answer).toMatchObject({ status: 202 });
    const sent = sentIn(body);
    expect(sent).toMatchObject({ id: id('msg'), type: 'interactive', status: 'queued' });
    expect(sent['body']).toEqual({ interactive });
    const done = await messageWhen(tenant, String(sent['id']), ({ status }) => status !== 'queued');
    expect(done).toMatchObject({ type: 'interactive', body: { interactive }, error: null, segments: null });
  });

  test('refuses buttons where there are none, and says what helps', async () => {
    const failed = { status: 'failed', errorCode: 'interactive-not-supported' };
    const refused =
      way === 'bulk' ? { status: 202, body: [failed] } : problem('interactive-not-supported', at);
    expect(await send('sms', { ...full, buttons })).toMatchObject(refused);
  });

  test('sends a text with numbers where there are no buttons and the sender wants that', async () => {
    const interactive = { ...full, list, fallback: 'numbered' };
    const { body, ...answer } = await send('sms', interactive);
    expect(answer).toMatchObject({ status: 202 });
    const text = [
      'Delivery',
      'Shall we come?',
      'Thank you',
      'This week:\nReply 1 for Monday: 9 to 12\nNext week:\nReply 2 for Tuesday',
    ].join('\n\n');
    const sent = sentIn(body);
    expect(sent['body']).toEqual({ interactive, text });
    const done = await messageWhen(tenant, String(sent['id']), ({ segments }) => segments !== null);
    expect(done).toMatchObject({ type: 'interactive', segments: 1, error: null });
  });

  test.each(overLimits())('refuses %s, and names the field', async (_what, content, field) => {
    expect(await send('whatsapp', content)).toMatchObject(problem('invalid-request', `${at}/${field}`));
  });

  test.each(atLimits())('takes %s', async (_what, content) => {
    expect(await send('whatsapp', content)).toMatchObject({ status: 202 });
    expect(await send('telegram', content)).toMatchObject({ status: 202 });
  });
});

type Case = readonly [what: string, content: object, field: string];

/** What breaks one limit, and the field to be named. */
function overLimits(): readonly Case[] {
  const text = 'Shall we come?';
  const button = { id: 'a', title: 'A' };
  const one = (change: object) => ({ text, buttons: [{ ...button, ...change }] });
  const section = (change: object) => ({ text, list: { button: 'Choose', sections: [change] } });
  const row = (change: object) => section({ rows: [{ id: 'a', title: 'A', ...change }] });
  const rows = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ id: `${from + index}`, title: 'x' }));
  return [
    ['no text', { buttons }, 'text'],
    ['an empty text', { text: '', buttons }, 'text'],
    ['a text of 1,025 characters', { text: 'x'.repeat(1_025), buttons }, 'text'],
    ['a text of 1,025 emoji', { text: emoji.repeat(1_025), buttons }, 'text'],
    ['an empty header', { text, header: '', buttons }, 'header'],
    ['a header of 61 characters', { text, header: 'x'.repeat(61), buttons }, 'header'],
    ['a footer of 61 characters', { text, footer: 'x'.repeat(61), buttons }, 'footer'],
    ['neither buttons nor a list', { text }, 'buttons'],
    ['both', { text, buttons, list }, 'list'],
    ['another fallback', { text, buttons, fallback: 'text' }, 'fallback'],
    ['an unknown field', { text, buttons, subject: 'x' }, 'subject'],
    ['no button', { text, buttons: [] }, 'buttons'],
    [
      'four buttons',
      { text, buttons: ['a', 'b', 'c', 'd'].map((each) => ({ id: each, title: each })) },
      'buttons',
    ],
    ['a button without a title', { text, buttons: [{ id: 'a' }] }, 'buttons/0/title'],
    ['a title of 21 characters', one({ title: 'x'.repeat(21) }), 'buttons/0/title'],
    ['an empty title', one({ title: '' }), 'buttons/0/title'],
    ['an empty id', one({ id: '' }), 'buttons/0/id'],
    ['an id of 65 bytes', one({ id: 'x'.repeat(65) }), 'buttons/0/id'],
    ['an id of 33 characters and 66 bytes', one({ id: 'ä'.repeat(33) }), 'buttons/0/id'],
    ['a button with neither', { text, buttons: [{ title: 'A' }] }, 'buttons/0/id'],
    ['a button with both', one({ url: 'https://example.com/' }), 'buttons/0/url'],
    ['two buttons of one id', { text, buttons: [button, { id: 'a', title: 'B' }] }, 'buttons/1/id'],
    ['two buttons of one title', { text, buttons: [button, { id: 'b', title: 'A' }] }, 'buttons/1/title'],
    ['two addresses', { text, buttons: [...link, ...link] }, 'buttons/0/url'],
    ['an address beside a button', { text, buttons: [button, ...link] }, 'buttons/1/url'],
    ['an address of ftp', { text, buttons: [{ url: 'ftp://example.com', title: 'A' }] }, 'buttons/0/url'],
    [
      'an address of 2,049 characters',
      { text, buttons: [{ url: `https://example.com/${'x'.repeat(2_029)}`, title: 'A' }] },
      'buttons/0/url',
    ],
    ['a list without a button', { text, list: { sections: [{ rows: rows(1) }] } }, 'list/button'],
    [
      'a list with a button of 21 characters',
      { text, list: { button: 'x'.repeat(21), sections: [{ rows: rows(1) }] } },
      'list/button',
    ],
    ['a list without sections', { text, list: { button: 'Choose', sections: [] } }, 'list/sections'],
    ['a section without rows', section({ rows: [] }), 'list/sections/0/rows'],
    ['eleven rows', section({ rows: rows(11) }), 'list/sections/0/rows'],
    [
      'eleven rows in two sections',
      {
        text,
        list: {
          button: 'Choose',
          sections: [
            { title: 'A', rows: rows(6) },
            { title: 'B', rows: rows(5, 6) },
          ],
        },
      },
      'list/sections',
    ],
    [
      'two sections, one without a title',
      {
        text,
        list: { button: 'Choose', sections: [{ title: 'A', rows: rows(1) }, { rows: rows(1, 1) }] },
      },
      'list/sections/1/title',
    ],
    [
      'a section title of 25 characters',
      section({ title: 'x'.repeat(25), rows: rows(1) }),
      'list/sections/0/title',
    ],
    ['a row title of 25 characters', row({ title: 'x'.repeat(25) }), 'list/sections/0/rows/0/title'],
    [
      'a description of 73 characters',
      row({ description: 'x'.repeat(73) }),
      'list/sections/0/rows/0/description',
    ],
    ['a row id of 65 bytes', row({ id: `ä${'x'.repeat(63)}` }), 'list/sections/0/rows/0/id'],
    [
      'two rows of one id',
      section({
        rows: [
          { id: 'a', title: 'A' },
          { id: 'a', title: 'B' },
        ],
      }),
      'list/sections/0/rows/1/id',
    ],
  ];
}

/** What just keeps each limit. */
function atLimits(): readonly (readonly [what: string, content: object])[] {
  const long = {
    text: 'x'.repeat(1_024),
    header: emoji.repeat(60),
    footer: 'x'.repeat(60),
  };
  const ids = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(63)}`);
  return [
    [
      'three buttons of the longest title and id',
      { ...long, buttons: ids.slice(0, 3).map((each) => ({ id: each, title: each.slice(0, 20) })) },
    ],
    [
      'ten rows of the longest title, description and id',
      {
        ...long,
        list: {
          button: 'x'.repeat(20),
          sections: ids.map((each) => ({
            title: 'x'.repeat(24),
            rows: [{ id: each, title: 'x'.repeat(24), description: 'x'.repeat(72) }],
          })),
        },
      },
    ],
    [
      'the longest address',
      { text: 'x', buttons: [{ url: `https://example.com/${'x'.repeat(2_028)}`, title: emoji.repeat(20) }] },
    ],
  ];
}

test.each(badSharedFields)('refuses %s', async (_, change, at) => {
  const good = { to: recipient('whatsapp'), text: 'Shall we come?', buttons };
  expect(await tenant.send('whatsapp/interactive', changed(good, change))).toMatchObject(
    problem('invalid-request', `body/${at}`),
  );
});

test('refuses what Telegram would refuse for its length', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({
    id: `${index}`,
    title: emoji.repeat(24),
    description: emoji.repeat(72),
  }));
  const content = {
    text: emoji.repeat(1_024),
    header: emoji.repeat(60),
    footer: emoji.repeat(60),
    list: { button: 'Choose', sections: [{ rows }] },
  };
  const send = (channel: 'telegram' | 'whatsapp') =>
    tenant.send(`${channel}/interactive`, { to: recipient(channel), ...content });
  expect(await send('whatsapp')).toMatchObject({ status: 202 });
  expect(await send('telegram')).toMatchObject(problem('invalid-request', 'body/text'));
});

test('takes no options of Telegram', async () => {
  const telegram = { silent: true };
  const interactive = { text: 'Shall we come?', buttons };
  const to = recipient('telegram');
  expect(await tenant.send('telegram/interactive', { to, ...interactive, telegram })).toMatchObject(
    problem('invalid-request', 'body/telegram'),
  );
  expect(await tenant.send('telegram/bulk', { messages: [{ to, interactive, telegram }] })).toMatchObject(
    problem('invalid-request', 'body/messages/0/telegram'),
  );
  expect(await tenant.post('/v1/messages', { channel: 'telegram', to, interactive, telegram })).toMatchObject(
    problem('invalid-request', 'body/telegram'),
  );
  expect(
    await tenant.post('/v1/groups', { routes: [{ channel: 'telegram', to, interactive, telegram }] }),
  ).toMatchObject(problem('invalid-request', 'body/routes/0/telegram'));
});

test('the order of fields makes no other request, and another content does', async () => {
  const idempotencyKey = crypto.randomUUID();
  const to = recipient('whatsapp');
  const send = (content: object) => tenant.send('whatsapp/interactive', { to, idempotencyKey, ...content });
  const first = await send({ text: 'Shall we come?', buttons: [{ id: 'a', title: 'A' }] });
  const again = await send({ buttons: [{ title: 'A', id: 'a' }], text: 'Shall we come?' });
  expect(again).toMatchObject({ status: 202, body: { id: first.body.id } });
  expect(await send({ text: 'Shall we come?', buttons: [{ id: 'b', title: 'A' }] })).toMatchObject(
    problem('idempotency-key-reused'),
  );
});

test('a failed one is sent again as it was', async () => {
  const interactive = { text: 'Shall we come?', buttons, fallback: 'numbered' };
  const { body } = await tenant.send('sms/interactive', { to: '+4915112340001', ...interactive });
  await messageWhen(tenant, body.id, ({ status }) => status === 'failed');
  const again = await tenant.post(`/v1/messages/${body.id}/resend`, {});
  expect(again).toMatchObject({ status: 202, body: { type: 'interactive', body: body.body } });
});

test('providers say where they send buttons', async () => {
  const { body } = await tenant.get('/v1/providers');
  const shown = new Map(
    body.map((one: { id: string; capabilities: { interactiveOn: string[] } }) => [
      one.id,
      one.capabilities.interactiveOn,
    ]),
  );
  expect(Object.fromEntries(shown)).toMatchObject({
    sandbox: ['whatsapp', 'telegram'],
    'telegram-bot': ['telegram'],
    'whatsapp-cloud': ['whatsapp'],
    'whatsapp-web': [],
    twilio: [],
    vonage: [],
    'http-sms': [],
  });
});

describe('a number that comes back', () => {
  const ask = { text: 'Shall we come?', buttons, fallback: 'numbered' };

  /** Asks a person by SMS, and returns the message once it was sent. */
  async function asked(to: string, content: object = ask): Promise<string> {
    const { body } = await tenant.send('sms/interactive', { to, ...content });
    await messageWhen(tenant, body.id, ({ status }) => status !== 'queued');
    return body.id;
  }

  async function receive(from: string, text: string, more: object = {}): Promise<Record<string, unknown>> {
    const account = (await sandboxAccount(tenant, 'sms')).id;
    const path = `/v1/channel-accounts/${account}/simulate-inbound`;
    return (await tenant.post(path, { from, text, ...more })).body;
  }

  test.each([
    ['1', 'yes'],
    ['2', 'no'],
    [' 2 ', 'no'],
    ['2.', 'no'],
    ['1)', 'yes'],
    ['２', 'no'],
    ['2️⃣', 'no'],
    ['٢', 'no'],
  ])('%j is the press that it means', async (text, payload) => {
    const to = phone();
    const replyTo = await asked(to);
    expect(await receive(to, text)).toMatchObject({ type: 'button', body: { text, payload }, replyTo });
  });

  test.each(['0', '3', '12', '1 and 2', 'one', '11', '-1', '1.5'])('%j stays a text', async (text) => {
    const to = phone();
    const replyTo = await asked(to);
    expect(await receive(to, text)).toMatchObject({ type: 'text', body: { text }, replyTo: null });
    expect(await receive(to, '1')).toMatchObject({ type: 'button', replyTo });
  });

  test('is answered once', async () => {
    const to = phone();
    await asked(to);
    expect(await receive(to, '1')).toMatchObject({ type: 'button' });
    expect(await receive(to, '1')).toMatchObject({ type: 'text', replyTo: null });
  });

  test('of answers that race, one is the press', async () => {
    const to = phone();
    await asked(to);
    const answers = await Promise.all([1, 2, 1, 2].map((number) => receive(to, `${number}`)));
    expect(answers.filter(({ type }) => type === 'button')).toHaveLength(1);
    expect(answers.filter(({ type }) => type === 'text')).toHaveLength(3);
  });

  test('answers the newest', async () => {
    const to = phone();
    await asked(to);
    const newer = await asked(to, { ...ask, buttons: [{ id: 'later', title: 'Later' }] });
    expect(await receive(to, '2')).toMatchObject({ type: 'text' });
    expect(await receive(to, '1')).toMatchObject({ body: { payload: 'later' }, replyTo: newer });
    expect(await receive(to, '1')).toMatchObject({ type: 'text' });
  });

  test('answers none that failed', async () => {
    const to = `+491511234${'0001'}`;
    await asked(to);
    expect(await receive(to, '1')).toMatchObject({ type: 'text', replyTo: null });
  });

  test('of another person stays a text', async () => {
    await asked(phone());
    expect(await receive(phone(), '1')).toMatchObject({ type: 'text', replyTo: null });
  });

  test('that quotes another message stays a text', async () => {
    const to = phone();
    const { id: other } = (await tenant.send('sms/text', { to, text: 'Hello' })).body;
    await messageWhen(tenant, other, ({ status }) => status !== 'queued');
    const newest = await asked(to);
    expect(await receive(to, '1', { replyTo: other })).toMatchObject({ type: 'text', replyTo: other });
    expect(await receive(to, '1', { replyTo: newest })).toMatchObject({ type: 'button', replyTo: newest });
  });

  test('is no answer to a button that opens an address', async () => {
    const to = phone();
    const sent = await asked(to, { text: 'Here.', buttons: link, fallback: 'numbered' });
    const { body } = await tenant.message(sent);
    expect(body.body.text).toBe('Here.\n\nYour order: https://example.com/order/7');
    expect(await receive(to, '1')).toMatchObject({ type: 'text', replyTo: null });
  });

  test('answers the route of a group that was tried', async () => {
    const to = phone();
    const route = (recipientOf: string) => ({ channel: 'sms', to: recipientOf, interactive: ask });
    const routes = [route('+4915112360001'), route(to)];
    const { id: group } = (await tenant.send('send', { routes })).body;
    const { messages } = await until(
      async () => (await tenant.get(`/v1/groups/${group}`)).body,
      ({ status }) => status === 'delivered',
    );
    const sent = messages.find((one: { to: string }) => one.to === to);
    expect(await receive('+4915112360001', '1')).toMatchObject({ type: 'text', replyTo: null });
    expect(await receive(to, '2')).toMatchObject({ body: { payload: 'no' }, replyTo: sent.messageId });
  });

  test('is a word of consent where the account says so', async () => {
    const own = await newTenant();
    const settings = { channel: 'sms', keywords: { stop: ['1'], start: ['2'] } };
    const made = await own.post('/v1/channel-accounts', { provider: 'sandbox', name: 'words', settings });
    const channelAccountId = made.body.id;
    const to = phone();
    const { body } = await own.send('sms/interactive', { to, ...ask, channelAccountId });
    await messageWhen(own, body.id, ({ status }) => status !== 'queued');
    const path = `/v1/channel-accounts/${channelAccountId}/simulate-inbound`;
    expect((await own.post(path, { from: to, text: '1' })).body).toMatchObject({ type: 'text' });
    const consent = await own.get(`/v1/consent/${channelAccountId}/${encodeURIComponent(to)}`);
    expect(consent.body).toMatchObject({ status: 'opted-out' });
  });
});
