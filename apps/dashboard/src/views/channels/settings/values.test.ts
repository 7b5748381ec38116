import { fieldsOf } from './fields.ts';
import { faultsIn, patchOf, settingsOf, valuesOf } from './values.ts';

const fields = fieldsOf({
  required: ['sid', 'token'],
  properties: {
    sid: { type: 'string' },
    token: { type: 'string', secret: true },
    keySecret: { type: 'string', secret: true },
    rate: { type: 'number' },
    isLoud: { type: 'boolean' },
    mode: { enum: ['once', 'twice'] },
    statuses: { type: 'array', items: { type: 'string' }, minItems: 1 },
    words: { type: 'array', items: { type: 'string' } },
    secrets: { type: 'object', patternProperties: { '^.*$': { type: 'string', secret: true } } },
    rules: { type: 'array', items: { type: 'object' } },
    senders: {
      type: 'array',
      items: { properties: { prefix: { type: 'string' }, from: { type: 'string' } } },
    },
    reports: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string' }, text: { type: 'string' } },
    },
  },
});
const mask = '********';
const stored = {
  sid: 'AC1',
  token: mask,
  keySecret: mask,
  rate: 5,
  mode: 'once',
  statuses: ['200'],
  secrets: { user: mask, pass: mask },
  rules: [{ means: 'retry' }],
  reports: { status: 's', text: 't' },
};

test('sends nothing of an empty form', () => {
  expect(settingsOf(fields, valuesOf(fields, {}))).toEqual({});
});

test('a sender that is a phone number may be written as people write it', () => {
  expect(settingsOf(fields, { '/sid': '+1 (415) 555-0123' })).toEqual({ sid: '+14155550123' });
  expect(settingsOf(fields, { '/sid': 'Shop 24/7 ' })).toEqual({ sid: 'Shop 24/7 ' });
});

test('rows are sent as a list, without empty ones and without spaces in numbers', () => {
  const rows = [
    { name: '+1 415', value: '+1 (415) 555-0123' },
    { name: '', value: '' },
    { name: '+49', value: 'Shop 24' },
    { name: 'DE', value: '' },
  ];
  const sent = [
    { prefix: '+1415', from: '+14155550123' },
    { prefix: '+49', from: 'Shop 24' },
    { prefix: 'DE', from: '' },
  ];
  expect(settingsOf(fields, { '/senders': rows })).toEqual({ senders: sent });
  expect(valuesOf(fields, { senders: sent })['/senders']).toEqual([
    { name: '+1415', value: '+14155550123' },
    { name: '+49', value: 'Shop 24' },
    { name: 'DE', value: '' },
  ]);
  expect(patchOf(fields, { senders: sent }, valuesOf(fields, { senders: sent }))).toEqual({});
  expect(patchOf(fields, { senders: sent }, { '/senders': [] })).toEqual({ senders: null });
});

test('sends each value in its own type', () => {
  const values = {
    ...valuesOf(fields, {}),
    '/sid': 'AC2',
    '/rate': '7.5',
    '/isLoud': true,
    '/secrets': [
      { name: 'user', value: 'ann' },
      { name: '', value: 'nothing' },
    ],
    '/rules': '[{"means":"broken"}]',
    '/reports/status': '/status',
  };
  expect(settingsOf(fields, values)).toEqual({
    sid: 'AC2',
    rate: 7.5,
    isLoud: true,
    secrets: { user: 'ann' },
    rules: [{ means: 'broken' }],
    reports: { status: '/status' },
  });
});

test('hides secrets, and sends nothing without a change', () => {
  const values = valuesOf(fields, stored);
  expect(JSON.stringify(values)).not.toContain(mask);
  expect(patchOf(fields, stored, values)).toEqual({});
});

test('sends only changes, and null for emptied or removed values', () => {
  const values = {
    ...valuesOf(fields, stored),
    '/sid': 'AC2',
    '/token': 'new',
    '/keySecret': null,
    '/rate': '',
    '/statuses': [],
    '/secrets': [
      { name: 'user', value: '' },
      { name: 'more', value: 'x' },
    ],
    '/reports/text': '',
  };
  expect(patchOf(fields, stored, values)).toEqual({
    sid: 'AC2',
    token: 'new',
    keySecret: null,
    rate: null,
    statuses: null,
    secrets: { pass: null, more: 'x' },
    reports: { text: null },
  });
});

test('removes values that no longer have a field', () => {
  const shown = fields.filter(({ name }) => name !== 'reports' && name !== 'keySecret');
  expect(patchOf(shown, stored, valuesOf(fields, stored))).toEqual({ reports: null, keySecret: null });
});

test('reports missing values before sending', () => {
  const needed = ['/sid', '/token'].map((at) => ({ at, message: 'is required' }));
  expect(faultsIn(fields, valuesOf(fields, {}), {})).toEqual(needed);
  expect(faultsIn(fields, valuesOf(fields, stored), stored)).toEqual([]);
});

test('a group that was begun must be complete, and JSON must be JSON', () => {
  const values = { ...valuesOf(fields, stored), '/reports/status': '', '/rules': '[' };
  expect(faultsIn(fields, values, stored)).toEqual([
    { at: '/rules', message: 'is not valid JSON' },
    { at: '/reports/status', message: 'is required' },
  ]);
});

test('removing a required secret counts as missing', () => {
  expect(faultsIn(fields, { ...valuesOf(fields, stored), '/token': null }, stored)).toEqual([
    { at: '/token', message: 'is required' },
  ]);
});

test('a list that may be empty differs from none', () => {
  expect(settingsOf(fields, valuesOf(fields, { words: [] }))).toEqual({ words: [] });
  expect(patchOf(fields, {}, { ...valuesOf(fields, {}), '/words': [] })).toEqual({ words: [] });
  expect(patchOf(fields, { words: [] }, { ...valuesOf(fields, { words: [] }), '/words': null })).toEqual({
    words: null,
  });
  expect(patchOf(fields, { words: ['a'] }, valuesOf(fields, { words: ['a'] }))).toEqual({});
});

test('a switch that is on by default can be switched off, and back', () => {
  const isOn = fieldsOf({ properties: { isOn: { type: 'boolean', default: true } } });
  expect(valuesOf(isOn, {})).toEqual({ '/isOn': true });
  expect(settingsOf(isOn, { '/isOn': true })).toEqual({});
  expect(settingsOf(isOn, { '/isOn': false })).toEqual({ isOn: false });
  expect(valuesOf(isOn, { isOn: false })).toEqual({ '/isOn': false });
  expect(patchOf(isOn, { isOn: false }, { '/isOn': true })).toEqual({ isOn: null });
});
