import type { Template } from '@notify/core';
import { ApiProblem } from '../../../api/failure.ts';
import { atFields, fileToUpload, formFaults, requestOf, valuesAt } from './values.ts';

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
  const request = requestOf('text', at, account, { template: undefined });
  expect(request.sendAt).toBe(new Date(2026, 0, 31, 9, 30).toISOString());
  expect(formFaults('text', at, undefined)).toEqual({});
});

test('each kind of message sends its own fields only', () => {
  expect(requestOf('text', { ...filled, text: 'Hello' }, account, { template })).toEqual({
    ...where,
    text: 'Hello',
  });
  const media = {
    ...filled,
    source: 'url' as const,
    url: ' https://a.example/a.pdf ',
    caption: 'May',
    filename: 'May.pdf',
  };
  expect(requestOf('media', media, account, { template: undefined })).toEqual({
    ...where,
    type: 'image',
    url: 'https://a.example/a.pdf',
    caption: 'May',
  });
  expect(requestOf('media', { ...media, type: 'document' }, account, { template: undefined })).toMatchObject({
    filename: 'May.pdf',
  });
  expect(
    requestOf('media', { ...media, type: 'audio' }, account, { template: undefined }),
  ).not.toHaveProperty('caption');
  expect(requestOf('template', filled, account, { template })).toEqual({
    ...where,
    template: {
      name: 'order_shipped',
      language: 'en_US',
      parameters: { body: ['B-9'], buttons: [{ index: 1, text: 'b-9' }] },
    },
  });
});

test('a file of this device is sent by the ID of its upload, and is told apart from a URL', () => {
  const file = new File(['x'], 'May.pdf', { type: 'application/pdf' });
  const media = { ...filled, type: 'document' as const, file, url: 'https://a.example/a.pdf' };
  expect(requestOf('media', media, account, { template: undefined, fileId: 'file_1' })).toEqual({
    ...where,
    type: 'document',
    fileId: 'file_1',
  });
  expect(formFaults('media', media, undefined)).toEqual({});
  expect(formFaults('media', { ...media, type: 'image' }, undefined)).toEqual({
    file: 'An image must be JPEG, PNG or WebP. This file is application/pdf.',
  });
  expect(formFaults('media', { ...media, file: null }, undefined)).toEqual({ file: 'Choose a file.' });
  expect(fileToUpload('media', media)).toBe(file);
  expect(fileToUpload('text', media)).toBeNull();
  expect(fileToUpload('media', { ...media, source: 'url' })).toBeNull();
});

test('buttons are sent as such, and their errors are told at their fields', () => {
  const interactive = { ...empty.interactive, text: 'Shall we come?', buttons: [{ title: 'Yes', id: '' }] };
  const values = { ...filled, interactive };
  expect(requestOf('interactive', values, account, { template: undefined })).toEqual({
    ...where,
    interactive: { text: 'Shall we come?', buttons: [{ id: 'yes', title: 'Yes' }] },
  });
  expect(formFaults('interactive', values, undefined)).toEqual({});
  expect(formFaults('interactive', values, undefined, { hasButtons: false })).toEqual({
    'interactive.numbered': expect.stringContaining('no buttons'),
  });
  const refused = new ApiProblem({
    type: 'about:blank',
    title: 'No buttons',
    status: 422,
    code: 'interactive-not-supported',
    requestId: 'r',
    errors: [{ at: 'body/interactive', message: 'one' }],
  });
  const told = atFields(refused, undefined, values) as ApiProblem;
  expect(told.errors.map(({ at }) => at)).toEqual(['body/interactive/numbered']);
});

test('a template without variables is sent without parameters', () => {
  const fixed = { ...template, body: { text: 'Hello', variables: [] }, buttons: [] };
  expect(requestOf('template', filled, account, { template: fixed })).toEqual({
    ...where,
    template: { name: 'order_shipped', language: 'en_US' },
  });
});

test('what is missing is told before the message is sent', () => {
  expect(formFaults('text', { ...empty, text: '' }, undefined)).toEqual({
    to: 'Enter a recipient.',
    text: 'Enter a text.',
  });
  expect(formFaults('media', { ...filled, source: 'url', url: 'a.pdf' }, undefined)).toEqual({
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
