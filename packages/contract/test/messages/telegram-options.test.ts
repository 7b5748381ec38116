import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { recipient } from '../suite/values.ts';

serviceUnderTest();
const telegram = { format: 'html', threadId: 42, silent: true, preview: false };
const file = { type: 'image', url: 'https://example.com/a.png' };
const template = { name: 'login_code', language: 'en' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

type Channel = 'telegram' | 'sms' | 'whatsapp';

/** Each way to send, with where its content is in the request. */
const ways: readonly [string, string, (channel: Channel, content: object) => Promise<{ body: unknown }>][] = [
  [
    'text',
    'body',
    (channel, content) => tenant.send(`${channel}/text`, { to: recipient(channel), text: 'hi', ...content }),
  ],
  [
    'media',
    'body',
    (channel, content) => tenant.send(`${channel}/media`, { to: recipient(channel), ...file, ...content }),
  ],
  [
    'bulk',
    'body/messages/0',
    (channel, content) =>
      tenant.send(`${channel}/bulk`, { messages: [{ to: recipient(channel), text: 'hi', ...content }] }),
  ],
  [
    'messages',
    'body',
    (channel, content) =>
      tenant.post('/v1/messages', { channel, to: recipient(channel), text: 'hi', ...content }),
  ],
  [
    'send',
    'body/routes/0',
    (channel, content) =>
      tenant.post('/v1/groups', { routes: [{ channel, to: recipient(channel), text: 'hi', ...content }] }),
  ],
];

test.each(ways)('%s takes the options of Telegram, and shows them', async (_, _at, send) => {
  const { body, ...answer } = await send('telegram', { telegram });
  expect(answer).toMatchObject({ status: 202 });
  const [sent] = [body].flat() as { body?: object; messages?: object[] }[];
  expect(sent?.messages?.[0] ?? sent).toMatchObject({ body: { telegram } });
});

test.each(ways)('%s refuses them on another channel, and names the field', async (_, at, send) => {
  expect(await send('whatsapp', { telegram })).toMatchObject(problem('invalid-request', `${at}/telegram`));
});

test.each(ways)('%s refuses an unknown markup', async (_, at, send) => {
  const answer = await send('telegram', { telegram: { format: 'bbcode' } });
  expect(answer).toMatchObject(problem('invalid-request', `${at}/telegram/format`));
});

test.each([
  [
    'bulk',
    'body/messages/0',
    (to: string) => tenant.send('telegram/bulk', { messages: [{ to, template, telegram }] }),
  ],
  [
    'messages',
    'body',
    (to: string) => tenant.post('/v1/messages', { channel: 'telegram', to, template, telegram }),
  ],
  [
    'send',
    'body/routes/0',
    (to: string) => tenant.post('/v1/groups', { routes: [{ channel: 'telegram', to, template, telegram }] }),
  ],
] as const)('%s refuses them with a template', async (_, at, send) => {
  expect(await send(recipient('telegram'))).toMatchObject(problem('invalid-request', `${at}/telegram`));
});

describe('the length of a text', () => {
  const link = '[x](https://example.com/)';

  /** Markdown of this many characters, of which Telegram shows this many. */
  const marked = (visible: number, raw: number) => {
    const text = `*${'x'.repeat(visible - 1)}*${link}`;
    return text.replace('.com/', `.com/${'y'.repeat(raw - text.length)}`);
  };

  /** The longest text or caption of each way, and its field. */
  const fields = ways.map(([name, at, send]): [string, string, string, number, number, typeof send] =>
    name === 'media' ? [name, at, 'caption', 1_024, 4_096, send] : [name, at, 'text', 4_096, 16_384, send],
  );

  /** The ways to send a caption besides `media`. */
  const nested: typeof fields = [
    [
      'bulk',
      'body/messages/0/media',
      'caption',
      1_024,
      4_096,
      (channel, { telegram: options, ...content }: { telegram?: object }) =>
        tenant.send(`${channel}/bulk`, {
          messages: [{ to: recipient(channel), media: { ...file, ...content }, telegram: options }],
        }),
    ],
    [
      'messages',
      'body',
      'caption',
      1_024,
      4_096,
      (channel, content) =>
        tenant.post('/v1/messages', { channel, to: recipient(channel), ...file, ...content }),
    ],
    [
      'send',
      'body/routes/0/media',
      'caption',
      1_024,
      4_096,
      (channel, { telegram: options, ...content }: { telegram?: object }) =>
        tenant.post('/v1/groups', {
          routes: [{ channel, to: recipient(channel), media: { ...file, ...content }, telegram: options }],
        }),
    ],
  ];

  describe.each([...fields, ...nested])('of %s (%s/%s)', (_, at, field, visible, raw, send) => {
    const format = { format: 'markdown' };
    const refused = (message: RegExp) => ({
      status: 422,
      body: {
        code: 'invalid-request',
        errors: [{ at: `${at}/${field}`, message: expect.stringMatching(message) }],
      },
    });

    test('counts without the markup, if there is a format', async () => {
      const longest = { [field]: marked(visible, raw), telegram: format };
      expect(await send('telegram', longest)).toMatchObject({ status: 202 });
      const tooLong = { [field]: marked(visible + 1, raw), telegram: format };
      expect(await send('telegram', tooLong)).toMatchObject(refused(/UTF-16 code units without its markup/));
    });

    test('counts in UTF-16 code units, if there is a format', async () => {
      const text = '😀'.repeat(visible / 2);
      expect(await send('telegram', { [field]: text, telegram: { format: 'html' } })).toMatchObject({
        status: 202,
      });
      const longer = { [field]: `${text}&lt;`, telegram: { format: 'html' } };
      expect(await send('telegram', longer)).toMatchObject(refused(/without its markup/));
    });

    test('is limited with the markup, too', async () => {
      const tooLong = { [field]: marked(visible, raw + 1), telegram: format };
      expect(await send('telegram', tooLong)).toMatchObject(refused(new RegExp(`at most ${raw} characters`)));
    });

    test.each([
      ['without options', {}],
      ['with options but a format', { telegram: { silent: true } }],
      ['with a format of null', { telegram: { format: null } }],
    ])('is as of any channel, and in characters, %s', async (_name, options) => {
      expect(await send('telegram', { [field]: '😀'.repeat(visible), ...options })).toMatchObject({
        status: 202,
      });
      for (const text of ['x'.repeat(visible + 1), '😀'.repeat(raw + 1)])
        expect(await send('telegram', { [field]: text, ...options })).toMatchObject(
          refused(new RegExp(`at most ${visible} characters`)),
        );
    });
  });
});

test('a bulk call may have 100 formatted texts of the greatest length', async () => {
  const text = `<a href="https://example.com/${'y'.repeat(12_288 - 35)}">${'x'.repeat(4_096)}</a>`;
  expect(text.length).toBe(16_384);
  const messages = Array.from({ length: 100 }, () => ({
    to: recipient('telegram'),
    text,
    telegram: { format: 'html' },
  }));
  const { status, body } = await tenant.send('telegram/bulk', { messages });
  expect(status).toBe(202);
  expect(body).toHaveLength(100);
  expect(await tenant.message(body[99].id)).toMatchObject({ body: { body: { text } } });
});
