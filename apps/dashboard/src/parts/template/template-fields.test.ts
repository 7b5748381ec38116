import type { Template } from '@notify/core';
import { faultsOf, fieldAt } from './template-faults.ts';
import { allFields, parametersOf } from './template-fields.ts';

type Filled = Pick<Template, 'header' | 'body' | 'buttons' | 'named'>;

const plain: Filled = { header: null, body: { text: 'Hello', variables: [] }, buttons: [], named: false };

const shipped: Filled = {
  header: { kind: 'document', example: null },
  body: {
    text: 'Hi {{1}}, order {{2}} left.',
    variables: [
      { name: '1', example: 'Ada' },
      { name: '2', example: 'A-7' },
    ],
  },
  buttons: [
    { kind: 'other', text: 'Call' },
    { kind: 'quick-reply', text: 'Thanks' },
    { kind: 'url', text: 'Track', url: 'https://a.example/{{1}}', variable: { name: '1', example: 'x' } },
    { kind: 'url', text: 'Shop', url: 'https://a.example/', variable: null },
    { kind: 'copy-code', text: 'Copy', example: 'SAVE10' },
  ],
  named: false,
};

const entered = {
  'header.document.url': 'https://a.example/bill.pdf',
  'body.1': 'Grace',
  'body.2': 'B-9',
  'buttons.2.text': 'b-9',
  'buttons.4.code': 'SAVE20',
};

test('a template without variables needs nothing', () => {
  expect(allFields(plain)).toEqual([]);
  expect(parametersOf(plain, {})).toEqual({});
});

test('each place to fill is an input, with its sample', () => {
  expect(allFields(shipped).map(({ name, sample }) => [name, sample])).toEqual([
    ['header.document.url', null],
    ['header.document.filename', null],
    ['body.1', 'Ada'],
    ['body.2', 'A-7'],
    ['buttons.1.payload', null],
    ['buttons.2.text', 'x'],
    ['buttons.4.code', 'SAVE10'],
  ]);
});

test('what is entered becomes the parameters of a send; empty optional fields are left out', () => {
  expect(parametersOf(shipped, entered)).toEqual({
    header: { document: { url: 'https://a.example/bill.pdf' } },
    body: ['Grace', 'B-9'],
    buttons: [
      { index: 2, text: 'b-9' },
      { index: 4, code: 'SAVE20' },
    ],
  });
  const more = { ...entered, 'header.document.filename': 'May.pdf', 'buttons.1.payload': 'thanks' };
  expect(parametersOf(shipped, more)).toMatchObject({
    header: { document: { filename: 'May.pdf' } },
    buttons: [{ index: 1, payload: 'thanks' }, { index: 2 }, { index: 4 }],
  });
});

test('named variables are an object', () => {
  const named = {
    ...plain,
    body: { text: '{{name}}', variables: [{ name: 'name', example: null }] },
    named: true,
  };
  expect(parametersOf(named, { 'body.name': 'Ada' })).toEqual({ body: { name: 'Ada' } });
  expect(fieldAt('body.name', named, {})).toBe('body.name');
});

test('numbers that a text leaves out are sent as well, because the array counts them', () => {
  const body = { text: '{{1}} {{3}}', variables: ['1', '3'].map((name) => ({ name, example: null })) };
  expect(parametersOf({ ...plain, body }, { 'body.1': 'a', 'body.3': 'c' })).toEqual({
    body: ['a', '-', 'c'],
  });
});

test('a location is sent as numbers', () => {
  const at: Filled = { ...plain, header: { kind: 'location' } };
  const values = {
    'header.location.latitude': '52.5',
    'header.location.longitude': '-13',
    'header.location.name': 'Shop',
  };
  expect(parametersOf(at, values)).toEqual({
    header: { location: { latitude: 52.5, longitude: -13, name: 'Shop' } },
  });
  expect(faultsOf(at, values)).toEqual({});
  expect(faultsOf(at, { ...values, 'header.location.latitude': '91' })).toEqual({
    'header.location.latitude': 'Enter a number from -90 to 90.',
  });
  expect(faultsOf(at, { ...values, 'header.location.longitude': 'x' })).toEqual({
    'header.location.longitude': 'Enter a number from -180 to 180.',
  });
});

test('required fields and addresses are checked before they are sent', () => {
  expect(faultsOf(shipped, { ...entered, 'body.2': ' ', 'header.document.url': 'bill.pdf' })).toEqual({
    'header.document.url': 'Enter an http or https URL.',
    'body.2': 'Required',
  });
  expect(faultsOf(shipped, entered)).toEqual({});
});

test.each([
  ['body.1', 'body.2'],
  ['body', 'body.1'],
  ['header', 'header.document.url'],
  ['header.document', 'header.document.url'],
  ['buttons.0.text', 'buttons.2.text'],
  ['buttons.1', 'buttons.4.code'],
  ['buttons.1.index', 'buttons.4.code'],
  ['body.7', null],
  ['header.image.url', null],
] as const)('an error of the api at %s belongs to the field %s', (at, name) => {
  expect(fieldAt(at, shipped, entered)).toBe(name);
});
