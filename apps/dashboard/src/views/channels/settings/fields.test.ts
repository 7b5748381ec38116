import { fieldsOf, inWords, leavesOf, type Schema } from './fields.ts';

const schema: Schema = {
  type: 'object',
  required: ['token'],
  properties: {
    token: { type: 'string', title: 'Bot token', secret: true, examples: ['shown to nobody'] },
    ratePerSecond: { type: 'integer', minimum: 1, maximum: 1_000, default: 30 },
    key: { type: 'string', maxLength: 10_000 },
    mode: { enum: ['once', 'twice'], default: 'once' },
    way: { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] },
    isLoud: { type: 'boolean' },
    at: { type: 'string', clock: true },
    kind: { enum: ['x', 'y'], labels: { '': 'Neither', x: 'The first' } },
    headers: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    reports: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', examples: ['/status'] }, 'a/b': { type: 'array' } },
    },
    statuses: { type: 'array', items: { type: 'string' }, examples: [['200', '2xx']] },
    rules: { type: 'array', items: { type: 'object' } },
    senders: {
      type: 'array',
      items: { properties: { prefix: { type: 'string' }, from: { type: 'string', title: 'Sender' } } },
      examples: [[{ prefix: '+1', from: '+14155550123' }]],
    },
  },
};

const fields = fieldsOf(schema);
const field = (at: string) => leavesOf(fields).find((one) => one.at === at);

test('each setting becomes the input that fits it', () => {
  expect(fields.map(({ name, input }) => [name, input.kind])).toEqual([
    ['token', 'text'],
    ['ratePerSecond', 'number'],
    ['key', 'text'],
    ['mode', 'choice'],
    ['way', 'choice'],
    ['isLoud', 'boolean'],
    ['at', 'clock'],
    ['kind', 'choice'],
    ['headers', 'map'],
    ['reports', 'group'],
    ['statuses', 'list'],
    ['rules', 'json'],
    ['senders', 'pairs'],
  ]);
});

test('a field has everything from its schema', () => {
  expect(field('/token')).toEqual({
    name: 'token',
    at: '/token',
    label: 'Bot token',
    description: null,
    example: null,
    required: true,
    byDefault: null,
    input: { kind: 'text', secret: true, lines: 'one', email: false },
  });
  expect(field('/ratePerSecond')).toMatchObject({
    label: 'Rate per second',
    required: false,
    byDefault: '30',
    input: { integer: true, min: 1, max: 1_000 },
  });
  expect(field('/key')?.input).toMatchObject({ lines: 'many', secret: false });
  expect(field('/statuses')?.example).toBe('200, 2xx');
});

test('a list of rows with two texts names both', () => {
  expect(field('/senders')).toMatchObject({
    example: '+1 → +14155550123',
    input: { names: ['prefix', 'from'], labels: ['Prefix', 'Sender'] },
  });
});

test('alternatives of one value each become a choice by their titles', () => {
  expect(field('/way')?.input).toEqual({
    kind: 'choice',
    options: [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'b' },
    ],
    none: null,
  });
});

test('a value, and none, is read by its label', () => {
  expect(field('/kind')?.input).toEqual({
    kind: 'choice',
    options: [
      { value: 'x', label: 'The first' },
      { value: 'y', label: 'y' },
    ],
    none: 'Neither',
  });
});

test('finds nested settings by their JSON pointer', () => {
  expect(field('/reports/status')).toMatchObject({ required: true, example: '/status' });
  expect(field('/reports/a~1b')?.input.kind).toBe('json');
});

test('a name without a title is put in words', () => {
  expect(inWords('onUnknownOutcome')).toBe('On unknown outcome');
  expect(inWords('smsc')).toBe('Smsc');
});
