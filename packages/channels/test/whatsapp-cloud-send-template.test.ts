import type { TemplateParameters } from '@notify/core';
import {
  type CloudPeer,
  type CloudTemplate,
  defaultTemplates,
  startWhatsappCloudPeer,
} from '@notify/testkit';
import { bodies, buttons, combined, headers, sendTemplate } from './whatsapp-cloud-templates.ts';

const orderShipped = defaultTemplates.find(({ name }) => name === 'order_shipped')!;
const loginCode = defaultTemplates.find(({ name }) => name === 'login_code')!;
const appointment = defaultTemplates.find(({ name }) => name === 'appointment_reminder')!;

/** Every value in a document, as text: nothing that was given may get lost. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

describe('every header with every body and every row of buttons', () => {
  let peer: CloudPeer;
  beforeAll(async () => {
    peer = await startWhatsappCloudPeer({ perSecond: 10_000, pairBurst: 10_000 });
  });
  afterAll(() => peer[Symbol.asyncDispose]());

  const cases = [true, false].flatMap((named) =>
    headers(named).flatMap((head) =>
      bodies(named).flatMap((body) =>
        buttons.map((row) => ({
          is: `${named ? 'named' : 'positional'}: ${head.is}, ${body.is}, ${row.is}`,
          ...combined(head, body, row, named),
        })),
      ),
    ),
  );

  test('are as many as they should be', () => {
    expect(cases).toHaveLength(9 * (2 + 3) * 7);
  });

  test.each(cases)('$is', async ({ template, parameters }) => {
    peer.setTemplates([template]);
    const known = template.parameter_format === 'NAMED' ? { headerVariable: 'day' } : {};
    expect(await sendTemplate(peer, template, parameters, known)).toMatchObject({ kind: 'accepted' });
    const sent = leavesOf(peer.ledger()[0]?.message.template);
    expect(sent).toEqual(expect.arrayContaining(leavesOf(parameters)));
  });
});

test('a template with everything is written as Meta documents it', async () => {
  await using peer = await startWhatsappCloudPeer();
  const [head, body, row] = [headers(true).at(-1)!, bodies(true).at(-1)!, buttons.at(-1)!];
  const { template, parameters } = combined(head, body, row, true);
  peer.setTemplates([template]);
  await sendTemplate(peer, template, parameters);
  const text = (index: string, sub_type: string, parameter: object) => ({
    type: 'button',
    sub_type,
    index,
    parameters: [parameter],
  });
  expect(peer.ledger()[0]?.message).toMatchObject({
    messaging_product: 'whatsapp',
    to: '4915112345678',
    type: 'template',
    template: {
      name: 'combined',
      language: { code: 'en_US' },
      components: [
        {
          type: 'header',
          parameters: [
            {
              type: 'location',
              location: {
                latitude: '37.44216',
                longitude: '-122.161535',
                name: 'Philz Coffee',
                address: '101 Forest Ave, Palo Alto',
              },
            },
          ],
        },
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'sum', text: '100 % "Ω" 😀' },
            { type: 'text', parameter_name: 'first_name', text: 'Ada' },
          ],
        },
        text('4', 'copy_code', { type: 'coupon_code', coupon_code: '25OFF' }),
        text('0', 'quick_reply', { type: 'payload', payload: 'stop:1' }),
        text('3', 'url', { type: 'text', text: '860198' }),
      ],
    },
  });
});

test.each<[string, TemplateParameters | undefined]>([
  ['no parameters', undefined],
  ['empty ones', { body: [], buttons: [] }],
])('with %s nothing but name and language is sent, even if its text is known', async (_, parameters) => {
  await using peer = await startWhatsappCloudPeer();
  const template = { name: 'hello_world', language: 'en_US' };
  const known = { text: 'Welcome and congratulations!' };
  expect(await sendTemplate(peer, template, parameters, known)).toMatchObject({ kind: 'accepted' });
  const { message } = peer.ledger()[0]!;
  expect(message.template).toEqual({ name: 'hello_world', language: { code: 'en_US' } });
  expect(message['text']).toBeUndefined();
});

test.each<[string, TemplateParameters]>([
  ['the button alone', { buttons: [{ index: 0, code: '123456' }] }],
  ['body and button', { body: ['123456'], buttons: [{ index: 0, code: '123456' }] }],
])('a one-time code fills the button and the body: %s', async (_, parameters) => {
  await using peer = await startWhatsappCloudPeer();
  const outcome = await sendTemplate(peer, loginCode, parameters, { oneTimeCodes: [0] });
  expect(outcome).toMatchObject({ kind: 'accepted' });
  const code = [{ type: 'text', text: '123456' }];
  expect(peer.ledger()[0]?.message.template?.components).toEqual([
    { type: 'body', parameters: code },
    { type: 'button', sub_type: 'url', index: '0', parameters: code },
  ]);
});

test('a template reaches people outside the 24 hours', async () => {
  await using peer = await startWhatsappCloudPeer();
  peer.setWindow('+4915112345678', false);
  const template = { name: 'hello_world', language: 'en_US' };
  expect(await sendTemplate(peer, template, undefined)).toMatchObject({ kind: 'accepted' });
});

const invalid = 'template-parameters-invalid';
const track = { index: 0, text: '860198' };
const order = (body: readonly string[] = ['Ada', '860198']): TemplateParameters => ({
  body,
  buttons: [track],
});
const named = (body: Readonly<Record<string, string>>): TemplateParameters => ({
  header: { text: 'Monday' },
  body,
});
const known = { headerVariable: 'day' };

test.each<[string, CloudTemplate, TemplateParameters | undefined, object, number, string]>([
  ['no parameters', orderShipped, undefined, {}, 132000, invalid],
  ['one too few', orderShipped, order(['Ada']), {}, 132000, invalid],
  ['one too many', orderShipped, order(['Ada', '860198', 'x']), {}, 132000, invalid],
  ['a header too many', orderShipped, { ...order(), header: { text: 'x' } }, {}, 132000, invalid],
  [
    'a header of another kind',
    appointment,
    { header: { image: { url: 'https://a.example/' } } },
    {},
    132012,
    invalid,
  ],
  ['another language', { ...orderShipped, language: 'de' }, order(), {}, 132001, 'template-not-found'],
  ['another name', { ...orderShipped, name: 'order' }, order(), {}, 132001, 'template-not-found'],
  ['a text that gets too long', orderShipped, order(['A'.repeat(1_000), '860198']), {}, 132005, invalid],
  ['a line break', orderShipped, order(['A\nB', '860198']), {}, 132018, invalid],
  ['a tab', orderShipped, order(['A\tB', '860198']), {}, 132018, invalid],
  ['five spaces', orderShipped, order(['A     B', '860198']), {}, 132018, invalid],
  ['no address', orderShipped, { body: ['Ada', '1'] }, {}, 131008, 'provider-rejected'],
  [
    'a payload for an address',
    orderShipped,
    { body: ['Ada', '1'], buttons: [{ index: 0, payload: 'x' }] },
    {},
    132012,
    invalid,
  ],
  [
    'a button that is not there',
    orderShipped,
    { ...order(), buttons: [track, { index: 7, text: 'x' }] },
    {},
    132012,
    invalid,
  ],
  [
    'a one-time code that is not known as one',
    loginCode,
    { body: ['1'], buttons: [{ index: 0, code: '1' }] },
    {},
    132012,
    invalid,
  ],
  [
    'positions for names',
    appointment,
    { header: { text: 'x' }, body: ['Ada', '10:30'] },
    known,
    100,
    'provider-rejected',
  ],
  [
    'another name of a variable',
    appointment,
    named({ first_name: 'Ada', when: '10:30' }),
    known,
    132012,
    invalid,
  ],
  [
    'a header whose name is not known',
    appointment,
    named({ first_name: 'Ada', time: '10:30' }),
    {},
    100,
    'provider-rejected',
  ],
  [
    'names for positions',
    orderShipped,
    { body: { a: 'Ada', b: '1' }, buttons: [track] },
    {},
    100,
    'provider-rejected',
  ],
  ['an empty text', orderShipped, order(['', '860198']), {}, 100, 'provider-rejected'],
])('with %s', async (_, template, parameters, more, code, errorCode) => {
  await using peer = await startWhatsappCloudPeer();
  const outcome = await sendTemplate(peer, template, parameters, more);
  expect(outcome).toEqual({
    kind: 'rejected',
    errorCode,
    providerCode: String(code),
    text: expect.stringContaining(`(#${code})`),
  });
  expect(peer.ledger().flatMap(({ wamids }) => wamids)).toEqual([]);
});

test.each([
  ['PAUSED', 132015, 'template-paused'],
  ['DISABLED', 132016, 'template-disabled'],
  ['PENDING', 132001, 'template-not-found'],
  ['REJECTED', 132001, 'template-not-found'],
])('a template that is %s is refused', async (status, code, errorCode) => {
  await using peer = await startWhatsappCloudPeer();
  await peer.changeTemplate('order_shipped', status);
  const outcome = await sendTemplate(peer, orderShipped, order());
  expect(outcome).toMatchObject({ kind: 'rejected', errorCode, providerCode: String(code) });
});

test.each<[number, object]>([
  [131026, { kind: 'rejected', errorCode: 'recipient-unreachable' }],
  [
    131047,
    {
      kind: 'rejected',
      errorCode: 'outside-24h-window',
      text: expect.stringMatching(/\. Send a template instead\.$/),
    },
  ],
  [
    131049,
    {
      kind: 'rejected',
      errorCode: 'marketing-limited',
      text: expect.stringMatching(/engagement.*Do not repeat it soon\.$/),
    },
  ],
  [131052, { kind: 'retry', errorCode: 'media-rejected' }],
  [132007, { kind: 'rejected', errorCode: 'content-rejected' }],
  [132068, { kind: 'rejected', errorCode: 'content-rejected' }],
  [131016, { kind: 'retry', errorCode: 'provider-error' }],
])('error %d for a template', async (code, expected) => {
  await using peer = await startWhatsappCloudPeer();
  peer.behave({ answer: { error: code }, times: 1 });
  const outcome = await sendTemplate(peer, orderShipped, order());
  expect(outcome).toMatchObject({ providerCode: String(code), ...expected });
  expect(await sendTemplate(peer, orderShipped, order())).toMatchObject({ kind: 'accepted' });
});

test('Meta away is a retry, and the template goes out when it is back', async () => {
  await using peer = await startWhatsappCloudPeer();
  await peer.setAway(true);
  const retry = { kind: 'retry', errorCode: 'provider-unreachable' };
  expect(await sendTemplate(peer, orderShipped, order())).toMatchObject(retry);
  await peer.setAway(false);
  expect(await sendTemplate(peer, orderShipped, order())).toMatchObject({ kind: 'accepted' });
  expect(peer.ledger()[0]?.wamids).toHaveLength(1);
});
