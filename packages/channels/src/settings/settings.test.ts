import Type from 'typebox';
import type { Adapter } from '../adapter/channel.ts';
import { adapters } from '../registry.ts';
import { sandbox } from '../sandbox/sandbox.ts';
import { checkSettings, describeProvider, mask, maskSettings, mergeSettings } from './settings.ts';

const adapter: Adapter = {
  ...(sandbox as Adapter),
  settings: Type.Object(
    {
      url: Type.String({ minLength: 1 }),
      token: Type.String({ secret: true }),
      mode: Type.Optional(Type.Enum(['a', 'b'])),
      secrets: Type.Optional(Type.Record(Type.String(), Type.String({ secret: true }))),
      nested: Type.Optional(
        Type.Object({ pin: Type.String({ secret: true }) }, { additionalProperties: false }),
      ),
    },
    { additionalProperties: false },
  ),
};
const stored = { url: 'u', token: 't', secrets: { one: '1', two: '2' }, nested: { pin: '3' } };

test('valid settings have no faults', () => {
  expect(checkSettings(adapter, stored)).toEqual([]);
});

test.each([
  [
    { url: 'u', token: 't', tokn: 1 },
    { at: '/tokn', message: 'is not a known field' },
  ],
  [
    { url: 'u', token: 't', nested: { pin: '1', 'a/b': 1 } },
    { at: '/nested/a~1b', message: 'is not a known field' },
  ],
  [{ token: 't' }, { at: '/url', message: 'is required' }],
  [
    { url: 'u', token: 't', mode: 'c' },
    { at: '/mode', message: 'must be one of a, b' },
  ],
  [
    { url: 'u', token: 5 },
    { at: '/token', message: 'must be string' },
  ],
  [
    { url: 'u', token: mask },
    { at: '/token', message: 'must be the secret itself, not the mask' },
  ],
  [
    { url: 'u', token: 't', secrets: { a: mask } },
    { at: '/secrets/a', message: expect.stringContaining('mask') },
  ],
  [null, { at: '', message: 'must be object' }],
])('%j: %j', (value, fault) => {
  expect(checkSettings(adapter, value)).toContainEqual(fault);
});

test('reports only a few of very many faults', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
  expect(checkSettings(adapter, { ...stored, ...unknown(100) })).toHaveLength(50);
  expect(checkSettings(adapter, { ...stored, ...unknown(4_000) })).toHaveLength(1);
  const secrets = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`s${at}`, mask]));
  expect(checkSettings(adapter, { ...stored, secrets })).toHaveLength(50);
  const picky: Adapter = { ...adapter, check: () => Array(200).fill({ at: '/url', message: 'is taken' }) };
  expect(checkSettings(picky, stored)).toHaveLength(50);
});

test('settings have at most 64 KB, however many changes made them', () => {
  const secrets = { a: 'x'.repeat(40_000) };
  expect(checkSettings(adapter, { ...stored, secrets })).toEqual([]);
  const merged = mergeSettings(adapter, { ...stored, secrets }, { secrets: { b: 'x'.repeat(40_000) } });
  expect(checkSettings(adapter, merged)).toEqual([{ at: '', message: 'must have at most 64 KB in total' }]);
});

describe.each([...adapters.values()])('the settings of $id', ({ settings }) => {
  test('bound every text, list and map', () => {
    expect(unboundedIn({ ...settings }, '')).toEqual([]);
  });
});

type Schema = Readonly<Record<string, unknown>>;

/** The places of a schema where a value may be of any size. A pattern without an open repetition bounds a text. */
function unboundedIn(schema: Schema, at: string): string[] {
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema as Record<string, never>;
  const { type, maxLength, pattern = '*', maxItems, maxProperties } = schema as Record<string, unknown>;
  const isMap = Object.keys(patternProperties).length > 0;
  const isOpen =
    (type === 'string' && maxLength === undefined && /[*+]|,\}/.test(String(pattern))) ||
    (type === 'array' && maxItems === undefined) ||
    (type === 'object' &&
      (schema['additionalProperties'] !== false || (isMap && maxProperties === undefined))) ||
    Object.keys(patternProperties).some((name) => /[*+]|,\}/.test(name));
  const inner = [
    ...Object.entries<Schema>(properties),
    ...Object.entries<Schema>(patternProperties),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...Object.entries<Schema>(anyOf),
  ];
  return [...(isOpen ? [at] : []), ...inner.flatMap(([name, one]) => unboundedIn(one, `${at}/${name}`))];
}

test("the adapter's own check runs on settings of the right shape only", () => {
  const strict: Adapter = { ...adapter, check: () => [{ at: '/url', message: 'is taken' }] };
  expect(checkSettings(strict, stored)).toEqual([{ at: '/url', message: 'is taken' }]);
  expect(checkSettings(strict, {})).not.toContainEqual({ at: '/url', message: 'is taken' });
});

test('every secret is masked, in maps and nested objects too, and nothing else', () => {
  expect(maskSettings(adapter, stored)).toEqual({
    url: 'u',
    token: mask,
    secrets: { one: mask, two: mask },
    nested: { pin: mask },
  });
});

test('masked settings sent back change nothing', () => {
  expect(mergeSettings(adapter, stored, maskSettings(adapter, stored))).toEqual(stored);
});

test.each([
  [{ url: 'v' }, { ...stored, url: 'v' }],
  [{ token: 'new' }, { ...stored, token: 'new' }],
  [{ secrets: { one: mask, two: null, three: '3' } }, { ...stored, secrets: { one: '1', three: '3' } }],
  [{ nested: null }, { url: 'u', token: 't', secrets: stored.secrets }],
])('patch %j', (patch, expected) => {
  expect(mergeSettings(adapter, stored, patch)).toEqual(expected);
});

test('a mask without a stored secret stores nothing', () => {
  expect(mergeSettings(adapter, { url: 'u' }, { token: mask })).toEqual({ url: 'u' });
});

test('a field named __proto__ is a field like any other', () => {
  const hostile: unknown = JSON.parse('{"__proto__": {"token": "x"}}');
  expect(Object.hasOwn(mergeSettings(adapter, stored, hostile) as object, '__proto__')).toBe(true);
  expect(checkSettings(adapter, mergeSettings(adapter, stored, hostile))).toHaveLength(1);
});

test('a provider is described by plain JSON with its secret fields marked', () => {
  const description = describeProvider(adapter);
  expect(description).toEqual(JSON.parse(JSON.stringify(description)));
  expect(description.settings).toMatchObject({ properties: { token: { type: 'string', secret: true } } });
});
