import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { type Code, problem } from '../suite/problem.ts';
import { newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { emoji, recipient, unknownId } from '../suite/values.ts';

/** One table of inputs above a limit, for each way in: the code of the answer, and the field that it names. */

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

/** What is above the limit, the fields of the request, and the field to be named. */
type Row = readonly [what: string, change: object, at: string, code?: Code];

/** A way in: where the fields stand in the request, and the request. */
type Way = readonly [name: string, at: string, ask: (change: object) => Promise<Response>];

/** What an answer with this code looks like whose `errors` name exactly this field. */
function refusal(code: Code, at: string): object {
  const message: unknown = expect.stringMatching(/./);
  const errors: unknown = expect.arrayContaining([{ at, message }]);
  return { ...problem(code), body: expect.objectContaining({ code, errors }) };
}

const file = { type: 'image', url: 'https://example.com/a.png' };
const buttons = [{ id: 'yes', title: 'Yes' }];
const interactive = { text: 'Shall we come?', buttons };
const text = { text: 'hi' };
const template = { template: { name: 'login_code', language: 'en', parameters: { body: { 1: '123456' } } } };
const to = (channel: string) => ({ to: recipient(channel) });
const route = (content: object) => ({ channel: 'telegram', ...to('telegram'), ...content });

const withText: readonly Way[] = [
  ['text', 'body', (change) => tenant.send('telegram/text', { ...to('telegram'), ...text, ...change })],
  [
    'item of a bulk call',
    'body/messages/0',
    (change) => tenant.send('telegram/bulk', { messages: [{ ...to('telegram'), ...text, ...change }] }),
  ],
  ['POST /v1/messages', 'body', (change) => tenant.post('/v1/messages', route({ ...text, ...change }))],
];
const withMedia: Way = [
  'media',
  'body',
  (change) => tenant.send('telegram/media', { ...to('telegram'), ...file, ...change }),
];
/** Options of a route stand in the route. */
const withRoute: readonly Way[] = [
  [
    'route of send',
    'body/routes/0',
    (change) => tenant.send('send', { routes: [route({ ...text, ...change })] }),
  ],
  [
    'route of a group',
    'body/routes/0',
    (change) => tenant.post('/v1/groups', { routes: [route({ ...text, ...change })] }),
  ],
];

const labelled: readonly Way[] = [
  ...withText,
  withMedia,
  [
    'template',
    'body',
    (change) => tenant.send('whatsapp/template', { ...to('whatsapp'), ...template, ...change }),
  ],
  [
    'interactive',
    'body',
    (change) => tenant.send('telegram/interactive', { ...to('telegram'), ...interactive, ...change }),
  ],
  ['send', 'body', (change) => tenant.send('send', { routes: [route(text)], ...change })],
  ['group', 'body', (change) => tenant.post('/v1/groups', { routes: [route(text)], ...change })],
  [
    'verification',
    'body',
    (change) => tenant.send('verifications', { ...to('sms'), channel: 'sms', brand: 'Shop', ...change }),
  ],
];

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, '']));
const labels: readonly Row[] = [
  ['17 pairs', { metadata: pairs(17) }, 'metadata'],
  ['a name of 41 characters', { metadata: { ['a'.repeat(41)]: '' } }, `metadata/${'a'.repeat(41)}`],
  ['a name with a space', { metadata: { 'a b': '' } }, 'metadata/a b'],
  ['a value of 257 characters', { metadata: { a: 'x'.repeat(257) } }, 'metadata/a'],
  ['a value of 257 emoji', { metadata: { a: emoji.repeat(257) } }, 'metadata/a'],
  ['a value that is a number', { metadata: { a: 1 } }, 'metadata/a'],
  ['six tags', { tags: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'tags'],
  ['a tag twice', { tags: ['a', 'a'] }, 'tags'],
  ['a tag of 41 characters', { tags: ['a', 'a'.repeat(41)] }, 'tags/1'],
  ['an empty tag', { tags: [''] }, 'tags/0'],
];

const optioned: readonly Way[] = [...withText, withMedia, ...withRoute];
const options: readonly Row[] = [
  ['an unknown markup', { telegram: { format: 'bbcode' } }, 'telegram/format'],
  ['a threadId of 0', { telegram: { threadId: 0 } }, 'telegram/threadId'],
  ['a broken threadId', { telegram: { threadId: 1.5 } }, 'telegram/threadId'],
  ['a threadId above 32 bits', { telegram: { threadId: 2_147_483_648 } }, 'telegram/threadId'],
  ['silent that is a text', { telegram: { silent: 'yes' } }, 'telegram/silent'],
  ['an unknown option', { telegram: { effect: 'x' } }, 'telegram/effect'],
];
const tooLongWithMarkup = { text: emoji.repeat(2_049), telegram: { format: 'markdown' } };

const choosing: readonly Way[] = [
  ['interactive', 'body', (change) => tenant.send('telegram/interactive', { ...to('telegram'), ...change })],
  [
    'item of a bulk call',
    'body/messages/0/interactive',
    (change) => tenant.send('telegram/bulk', { messages: [{ ...to('telegram'), interactive: change }] }),
  ],
  [
    'POST /v1/messages',
    'body/interactive',
    (change) => tenant.post('/v1/messages', route({ interactive: change })),
  ],
  [
    'route of send',
    'body/routes/0/interactive',
    (change) => tenant.send('send', { routes: [route({ interactive: change })] }),
  ],
  [
    'route of a group',
    'body/routes/0/interactive',
    (change) => tenant.post('/v1/groups', { routes: [route({ interactive: change })] }),
  ],
];
const button = (change: object) => ({ text: 'hi', buttons: [{ id: 'a', title: 'A', ...change }] });
const rows = (count: number, change: object = {}) => ({
  text: 'hi',
  list: {
    button: 'Choose',
    sections: [{ rows: Array.from({ length: count }, (_, n) => ({ id: `${n}`, title: 'x', ...change })) }],
  },
});
const choices: readonly Row[] = [
  ['a text of 1,025 characters', { ...interactive, text: 'x'.repeat(1_025) }, 'text'],
  ['a header of 61 characters', { ...interactive, header: 'x'.repeat(61) }, 'header'],
  ['a footer of 61 characters', { ...interactive, footer: 'x'.repeat(61) }, 'footer'],
  ['neither buttons nor a list', { text: 'hi' }, 'buttons'],
  ['both', { ...rows(1), buttons }, 'list'],
  ['four buttons', { text: 'hi', buttons: ['a', 'b', 'c', 'd'].map((id) => ({ id, title: id })) }, 'buttons'],
  ['a title of 21 characters', button({ title: 'x'.repeat(21) }), 'buttons/0/title'],
  ['an id of 65 bytes', button({ id: `ä${'x'.repeat(63)}` }), 'buttons/0/id'],
  ['an id twice', { text: 'hi', buttons: [buttons[0], { ...buttons[0], title: 'No' }] }, 'buttons/1/id'],
  ['a button with an id and a url', button({ url: 'https://example.com/' }), 'buttons/0/url'],
  ['eleven rows', rows(11), 'list/sections/0/rows'],
  ['a row title of 25 characters', rows(1, { title: 'x'.repeat(25) }), 'list/sections/0/rows/0/title'],
  ['a description of 73', rows(1, { description: 'x'.repeat(73) }), 'list/sections/0/rows/0/description'],
  ['a row id of 65 bytes', rows(1, { id: 'x'.repeat(65) }), 'list/sections/0/rows/0/id'],
  ['another fallback', { ...interactive, fallback: 'text' }, 'fallback'],
];

const hook = { url: 'https://hooks.example.com/notify' };
const hooked: readonly Way[] = [
  ['POST /v1/webhooks', 'body', (change) => tenant.post('/v1/webhooks', { ...hook, ...change })],
  [
    'PATCH /v1/webhooks/:id',
    'body',
    async (change) => {
      const { id } = (await tenant.post('/v1/webhooks', hook)).body;
      const answer = await tenant.patch(`/v1/webhooks/${id}`, change);
      await tenant.remove(`/v1/webhooks/${id}`);
      return answer;
    },
  ],
];
const many = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);
const filters: readonly Row[] = [
  ['no account', { channelAccountIds: [] }, 'channelAccountIds'],
  ['101 accounts', { channelAccountIds: many(101).map(() => randomUUID()) }, 'channelAccountIds'],
  ['an unknown account', { channelAccountIds: [randomUUID()] }, 'channelAccountIds/0'],
  ['what is no account', { channelAccountIds: ['default'] }, 'channelAccountIds/0'],
  ['no channel', { channels: [] }, 'channels'],
  ['an unknown channel', { channels: ['sms', 'fax'] }, 'channels/1'],
  ['a channel twice', { channels: ['sms', 'sms'] }, 'channels'],
  ['no tag', { tags: [] }, 'tags'],
  ['101 tags', { tags: many(101) }, 'tags'],
  ['a tag of 41 characters', { tags: ['a'.repeat(41)] }, 'tags/0'],
];

const filed: readonly Way[] = [
  [
    'media',
    'body',
    (change) => tenant.send('whatsapp/media', { ...to('whatsapp'), type: 'image', ...change }),
  ],
  [
    'route of send',
    'body/routes/0/media',
    (change) =>
      tenant.send('send', {
        routes: [{ channel: 'whatsapp', ...to('whatsapp'), media: { type: 'image', ...change } }],
      }),
  ],
];
const files: readonly Row[] = [
  ['neither a url nor a file', {}, 'url', 'media-url-required'],
  ['both', { url: file.url, fileId: unknownId('file') }, 'fileId'],
  ['an unknown file', { fileId: unknownId('file') }, 'fileId', 'file-not-found'],
  ['what is no file', { fileId: 'file_x' }, 'fileId', 'file-not-found'],
  ['a url of ftp', { url: 'ftp://example.com/a.png' }, 'url'],
  ['a url of 2,049 characters', { url: `https://example.com/${'x'.repeat(2_029)}` }, 'url'],
];

const tables: readonly (readonly [string, readonly Way[], readonly Row[]])[] = [
  ['labels', labelled, labels],
  ['options of Telegram', optioned, options],
  ['buttons and lists', choosing, choices],
  ['filters of a webhook', hooked, filters],
  ['files', filed, files],
];
const cells = tables.flatMap(([kind, ways, all]) =>
  ways.flatMap((way) => all.map((row) => [kind, way[0], row[0], way, row] as const)),
);

test.each(cells)('%s: %s refuses %s', async (_kind, _way, _what, [, at, ask], [, change, field, code]) => {
  expect(await ask(change)).toMatchObject(refusal(code ?? 'invalid-request', `${at}/${field}`));
});

test.each(withText)('%s refuses a text with markup that would have to be split', async (_, at, ask) => {
  expect(await ask(tooLongWithMarkup)).toMatchObject(refusal('invalid-request', `${at}/text`));
});

test('media refuses a caption with markup that would have to be split', async () => {
  const [, at, ask] = withMedia;
  const change = { caption: emoji.repeat(513), telegram: { format: 'html' } };
  expect(await ask(change)).toMatchObject(refusal('invalid-request', `${at}/caption`));
});

test.each(choosing.filter(([name]) => !name.startsWith('item')))(
  '%s refuses buttons from an account that has none',
  async (name, at) => {
    const on = { channel: 'sms', ...to('sms') };
    const ask = {
      interactive: () => tenant.send('sms/interactive', { ...to('sms'), ...interactive }),
      'POST /v1/messages': () => tenant.post('/v1/messages', { ...on, interactive }),
      'route of send': () => tenant.send('send', { routes: [{ ...on, interactive }] }),
      'route of a group': () => tenant.post('/v1/groups', { routes: [{ ...on, interactive }] }),
    }[name]!;
    expect(await ask()).toMatchObject(refusal('interactive-not-supported', at));
  },
);

describe('an upload', () => {
  const upload = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${tenant.service.url}/v1/notify/files`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.apiKey, ...headers },
      body,
    });
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    return { status: response.status, type, body: await response.json() };
  };

  test('of nothing is refused', async () => {
    expect(await upload(new Uint8Array())).toMatchObject(refusal('invalid-request', 'body'));
  });

  test('of more than the largest file is refused, with no field to name', async () => {
    expect(await upload(new Uint8Array(16 * 1_048_576 + 1))).toMatchObject(problem('too-large'));
  });

  test('of another type than it says is refused', async () => {
    const answer = await upload(Buffer.from('GIF?'), { 'content-type': 'image/png' });
    expect(answer).toMatchObject(refusal('invalid-request', 'header/content-type'));
  });
});

describe('a conversation', () => {
  let path: string;
  beforeAll(async () => {
    const account = (await sandboxAccount(tenant, 'whatsapp')).id;
    const from = recipient('whatsapp');
    await tenant.post(`/v1/channel-accounts/${account}/simulate-inbound`, { from, text: 'hi' });
    const { data } = (await tenant.get(`/v1/conversations?to=${encodeURIComponent(from)}`)).body;
    path = `/v1/conversations/${data[0].id}`;
  });

  test.each([
    ['read', { messageId: unknownId('msg') }, 'body/messageId'],
    ['read', { messageId: 'newest' }, 'body/messageId'],
    ['read', { tellSender: 'yes' }, 'body/tellSender'],
    ['read', { all: true }, 'body/all'],
  ])('refuses %s with %j', async (what, body, at) => {
    expect(await tenant.post(`${path}/${what}`, body)).toMatchObject(refusal('invalid-request', at));
  });

  test.each([
    ['limit=0', 'query/limit'],
    ['limit=101', 'query/limit'],
    ['cursor=x', 'query/cursor'],
    ['before=x', 'query/before'],
  ])('refuses its messages with %s', async (query, at) => {
    expect(await tenant.get(`${path}/messages?${query}`)).toMatchObject(refusal('invalid-request', at));
  });
});

test.each([
  ['/v1/messages?tag=a%20b', 'query/tag'],
  [`/v1/events?tag=${'a'.repeat(41)}`, 'query/tag'],
  ['/v1/events?channel=fax', 'query/channel'],
  ['/v1/events?channelAccountId=x', 'query/channelAccountId'],
  ['/v1/usage?tag=', 'query/tag'],
])('GET %s is refused', async (path, at) => {
  expect(await tenant.get(path)).toMatchObject(refusal('invalid-request', at));
});
