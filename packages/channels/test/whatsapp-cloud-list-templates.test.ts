import type { Template } from '@notify/core';
import { type CloudTemplate, defaultTemplates, startWhatsappCloudPeer } from '@notify/testkit';
import type { TemplateList } from '../src/adapter/channel.ts';
import type { WhatsappCloudSettings } from '../src/whatsapp-cloud/settings.ts';
import { listedStatus, statusAfter } from '../src/whatsapp-cloud/template-status.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { context } from './whatsapp-cloud-account.ts';
import { bodies, buttons, combined, headers } from './whatsapp-cloud-templates.ts';

const list = (peer: Parameters<typeof context>[0], changes: Partial<WhatsappCloudSettings> = {}) =>
  whatsappCloud.listTemplates!(context(peer, changes));

function templatesOf(result: TemplateList): readonly Template[] {
  if (result.kind === 'failed') throw new Error(result.detail);
  return result.templates;
}

const numbered = (count: number): CloudTemplate[] =>
  Array.from({ length: count }, (_, index) => ({ ...defaultTemplates[0]!, name: `template_${index}` }));

test('each template is listed with its variables and their samples', async () => {
  await using peer = await startWhatsappCloudPeer();
  const [hello, order, appointment, login] = templatesOf(await list(peer));
  expect(hello).toEqual({
    name: 'hello_world',
    language: 'en_US',
    label: null,
    category: 'utility',
    status: 'approved',
    reason: null,
    named: false,
    header: { kind: 'text', text: 'Hello World', variables: [] },
    body: { text: 'Welcome and congratulations!', variables: [] },
    footer: 'WhatsApp Business Platform sample message',
    buttons: [],
  });
  expect(order).toMatchObject({
    header: null,
    body: {
      text: 'Hi {{1}}, your order {{2}} has been shipped.',
      variables: [
        { name: '1', example: 'Ada' },
        { name: '2', example: '860198' },
      ],
    },
    buttons: [
      {
        kind: 'url',
        text: 'Track',
        url: 'https://shop.example/track/{{1}}',
        variable: { name: '1', example: '860198' },
      },
      { kind: 'quick-reply', text: 'Stop updates' },
    ],
  });
  expect(appointment).toMatchObject({
    named: true,
    header: { kind: 'text', text: 'See you on {{day}}', variables: [{ name: 'day', example: 'Monday' }] },
    body: {
      variables: [
        { name: 'first_name', example: 'Ada' },
        { name: 'time', example: '10:30' },
      ],
    },
  });
  expect(login).toMatchObject({
    category: 'authentication',
    body: { variables: [{ name: '1', example: '123456' }] },
    footer: 'This code expires in 10 minutes.',
    buttons: [{ kind: 'one-time-code', text: 'Copy code' }],
  });
});

test('every kind of header and button is listed', async () => {
  await using peer = await startWhatsappCloudPeer();
  const made = headers(false).map((head, index) => ({
    ...combined(head, bodies(false)[0]!, buttons.at(-1)!, false).template,
    name: `template_${index}`,
  }));
  peer.setTemplates(made);
  const listed = templatesOf(await list(peer));
  expect(listed.map(({ header }) => header?.kind ?? null)).toEqual([
    null,
    'text',
    'text',
    'image',
    'video',
    'document',
    'document',
    'location',
    'location',
  ]);
  const kinds = ['quick-reply', 'other', 'url', 'url', 'copy-code'];
  for (const template of listed) expect(template.buttons.map(({ kind }) => kind)).toEqual(kinds);
  expect(listed[0]?.buttons.map((button) => ('variable' in button ? button.variable?.name : null))).toEqual([
    null,
    null,
    undefined,
    '1',
    null,
  ]);
});

test('every page is read, and a template without name or language is left out', async () => {
  await using peer = await startWhatsappCloudPeer();
  const nameless = { ...defaultTemplates[0]!, name: '' };
  peer.setTemplates([...numbered(250), nameless]);
  const listed = templatesOf(await list(peer));
  expect(listed.map(({ name }) => name)).toEqual(numbered(250).map(({ name }) => name));
});

test('10,000 templates are listed, but no more', async () => {
  await using peer = await startWhatsappCloudPeer();
  peer.setTemplates(numbered(10_000));
  expect(templatesOf(await list(peer))).toHaveLength(10_000);
  peer.setTemplates(numbered(10_001));
  const failed = { kind: 'failed', refused: false, detail: 'The account has more than 10000 templates.' };
  expect(await list(peer)).toEqual(failed);
});

test('a page that cannot be read makes the list fail, and the next list is whole again', async () => {
  await using peer = await startWhatsappCloudPeer();
  peer.setTemplates(numbered(300));
  const lost = { data: [], paging: { next: 'https://graph.facebook.com/next' } };
  const behaviours = [{ error: 131016 }, { document: { data: 'x' } }, { document: lost }, 'reset'] as const;
  for (const behaviour of behaviours) {
    const asked = list(peer);
    peer.behave({ list: behaviour, times: 1 });
    expect(await asked).toMatchObject({ kind: 'failed', refused: false });
    expect((await list(peer)).kind).toBe('listed');
  }
});

test('a page that comes again and again ends the list', async () => {
  await using peer = await startWhatsappCloudPeer();
  const paging = { cursors: { after: 'same' }, next: 'https://graph.facebook.com/next' };
  peer.behave({ list: { document: { data: [], paging } } });
  expect(await list(peer)).toMatchObject({ kind: 'failed', detail: 'The list of templates has no end.' });
});

test('without the business account there is no list, and the reason says what to set', async () => {
  await using peer = await startWhatsappCloudPeer();
  const { businessAccountId: _, ...settings } = context(peer).settings;
  const failed = { kind: 'failed', refused: false, detail: expect.stringMatching(/Set businessAccountId/) };
  expect(await whatsappCloud.listTemplates!({ ...context(peer), settings })).toEqual(failed);
});

test('a wrong token or account is refused, in words that show no secret', async () => {
  await using peer = await startWhatsappCloudPeer();
  for (const wrong of [{ accessToken: 'wrong-token' }, { businessAccountId: '99999' }]) {
    const result = await list(peer, wrong);
    expect(result).toMatchObject({
      kind: 'failed',
      refused: true,
      detail: expect.stringMatching(/^\(#(190|100)\)/),
    });
    expect(JSON.stringify(result)).not.toContain('wrong-token');
  }
});

test.each([
  ['APPROVED', 'approved'],
  ['PENDING', 'pending'],
  ['IN_APPEAL', 'pending'],
  ['REJECTED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['PENDING_DELETION', 'disabled'],
  ['DELETED', 'disabled'],
  ['ARCHIVED', 'disabled'],
  ['LIMIT_EXCEEDED', 'disabled'],
  ['SOMETHING_NEW', 'pending'],
])('a template that is %s counts as %s', (status, expected) => {
  expect(listedStatus(status)).toBe(expected);
});

test.each([
  ['REINSTATED', null, 'approved'],
  ['FLAGGED', null, 'approved'],
  ['LOCKED', 'FIRST_PAUSE', 'paused'],
  ['LOCKED', 'SECOND_PAUSE', 'paused'],
  ['LOCKED', 'RATE_LIMITING_PAUSE', 'paused'],
  ['UNLOCKED', 'UNPAUSE', 'approved'],
  ['LOCKED', 'DISABLED', 'disabled'],
  ['LOCKED', null, null],
  ['UNARCHIVED', null, null],
  [null, null, null],
])('the event %s with the title %s leads to %s', (event, title, expected) => {
  expect(statusAfter(event, title)).toBe(expected);
});
