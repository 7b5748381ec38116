import type { Template } from '@notify/core';
import { ApiProblem } from '../../../api/failure.ts';
import { atFields, formFaults, requestOf, valuesAt } from './values.ts';

const account = { id: 'acc', channel: 'whatsapp' } as const;
const template: Template = {
  name: 'order_shipped',
  language: 'en_US',
  label: null,
  category: 'utility',
  status: 'approved',
  reason: null,
  named: false,
  header: null,
  body: { text: 'Order {{1}} left.', variables: [{ name: '1', example: 'A-7' }] },
  footer: null,
  buttons: [
    { kind: 'quick-reply', text: 'Thanks' },
    { kind: 'url', text: 'Track', url: 'https://a.example/{{1}}', variable: { name: '1', example: null } },
  ],
};
const empty = valuesAt('acc', undefined);
const filled = {
  ...empty,
  to: '+1 (415) 555-0100',
  name: 'order_shipped',
  language: 'en_US',
  filled: { 'body.1': 'B-9', 'buttons.1.text': 'b-9' },
};
const where = { channelAccountId: 'acc', channel: 'whatsapp', to: '+14155550100' };

test('a time is read in the zone of the browser', () => {
  const at = { ...empty, to: '+14155550100', sendAt: '2026-01-31T09:30' };
  const request = requestOf('text', at, account, undefined);
  expect(request.sendAt).toBe(new Date(2026, 0, 31, 9, 30).toISOString());
  expect(formFaults('text', at, undefined)).toEqual({});
});

test('each kind of message sends its own fields only', () => {
  expect(requestOf('text', { ...filled, text: 'Hello' }, account, template)).toEqual({
    ...where,
    text: 'Hello',
  });
  const media = { ...filled, url: ' https://a.example/a.pdf ', caption: 'May', filename: 'May.pdf' };
  expect(requestOf('media', media, account, undefined)).toEqual({
    ...where,
    type: 'image',
    url: 'https://a.example/a.pdf',
    caption: 'May',
  });
  expect(requestOf('media', { ...media, type: 'document' }, account, undefined)).toMatchObject({
    filename: 'May.pdf',
  });
  expect(requestOf('media', { ...media, type: 'audio' }, account, undefined)).not.toHaveProperty('caption');
  expect(requestOf('template', filled, account, template)).toEqual({
    ...where,
    template: {
      name: 'order_shipped',
      language: 'en_US',
      parameters: { body: ['B-9'], buttons: [{ index: 1, text: 'b-9' }] },
    },
  });
});

test('a template without variables is sent without parameters', () => {
  const fixed = { ...template, body: { text: 'Hello', variables: [] }, buttons: [] };
  expect(requestOf('template', filled, account, fixed)).toEqual({
    ...where,
    template: { name: 'order_shipped', language: 'en_US' },
  });
});

test('what is missing is told before the message is sent', () => {
  expect(formFaults('text', { ...empty, text: '' }, undefined)).toEqual({
    to: 'Enter a recipient.',
    text: 'Enter a text.',
  });
  expect(formFaults('media', { ...filled, url: 'a.pdf' }, undefined)).toEqual({
    url: 'Enter an http or https URL.',
  });
  expect(formFaults('template', filled, undefined)).toEqual({ name: 'Choose a template.' });
  expect(formFaults('template', { ...filled, filled: { 'body.1': 'B-9' } }, template)).toEqual({
    'filled.buttons.1.text': 'Required',
  });
  expect(formFaults('template', filled, template)).toEqual({});
});

test('errors of the api are told at the fields of the form', () => {
  const refused = new ApiProblem({
    type: 'about:blank',
    title: 'Wrong parameters',
    status: 422,
    code: 'template-parameters-invalid',
    requestId: 'r',
    errors: [
      { at: 'body/to', message: 'one' },
      { at: 'body/template/parameters/body/0', message: 'two' },
      { at: 'body/template/parameters/buttons/0/text', message: 'three' },
      { at: 'body/template/parameters/header', message: 'four' },
    ],
  });
  const told = atFields(refused, template, filled) as ApiProblem;
  expect(told.code).toBe('template-parameters-invalid');
  expect(told.errors.map(({ at }) => at)).toEqual([
    'body/to',
    'body/filled.body.1',
    'body/filled.buttons.1.text',
    // No field can show it, so it stands above the buttons of the form.
    'body/template/parameters/header',
  ]);
  const other = new Error('away');
  expect(atFields(other, template, filled)).toBe(other);
});
