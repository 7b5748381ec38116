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

test('a formatted text that is too long is refused, and an unformatted one is split', async () => {
  const to = recipient('telegram');
  const text = '😀'.repeat(2_049);
  const send = (options: object) => tenant.send('telegram/text', { to, text, telegram: options });
  expect(await send({ format: 'markdown' })).toMatchObject(problem('invalid-request', 'body/text'));
  expect(await send({ silent: true })).toMatchObject({ status: 202 });
  const caption = '😀'.repeat(513);
  const sendFile = (options: object) =>
    tenant.send('telegram/media', { to, ...file, caption, telegram: options });
  expect(await sendFile({ format: 'html' })).toMatchObject(problem('invalid-request', 'body/caption'));
  expect(await sendFile({})).toMatchObject({ status: 202 });
});

test('markup does not count', async () => {
  const text = `<b>${'x'.repeat(4_080)}</b>`;
  const answer = await tenant.send('telegram/text', {
    to: recipient('telegram'),
    text,
    telegram: { format: 'html' },
  });
  expect(answer.status).toBe(202);
});
