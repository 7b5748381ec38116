import Type from 'typebox';
import { createCheckCompiler } from './check.ts';
import type { Part } from './explain.ts';
import { Problem } from '../../problems/problem.ts';

const compile = createCheckCompiler();

function errorsOf(schema: Parameters<typeof compile>[0], value: unknown, part: Part = 'body') {
  try {
    compile(schema, part)(value);
  } catch (error) {
    if (error instanceof Problem) return error.options.errors;
    throw error;
  }
  return [];
}

const Item = Type.Object(
  { to: Type.String({ minLength: 1, maxLength: 4 }), note: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const Send = Type.Object(
  {
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    word: Type.Optional(Type.String({ minLength: 2 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    messages: Type.Optional(Type.Array(Item, { minItems: 1, maxItems: 100 })),
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

test.each([
  [{ messages: [{ to: 'x' }, {}] }, 'body/messages/1/to', 'is required'],
  [{ messages: [{ to: 5 }] }, 'body/messages/0/to', 'must be a string'],
  [{ messages: [{ to: 'x', note: 1 }] }, 'body/messages/0/note', 'must be a string'],
  [{ messages: [{ to: '12345' }] }, 'body/messages/0/to', 'must have at most 4 characters'],
  [{ messages: [{ to: '' }] }, 'body/messages/0/to', 'must not be empty'],
  [{ word: 'x' }, 'body/word', 'must have at least 2 characters'],
  [{ messages: [] }, 'body/messages', 'must not be empty'],
  [{ messages: { to: 'x' } }, 'body/messages', 'must be an array'],
  [{ count: 1.5 }, 'body/count', 'must be an integer'],
  [{ count: '3' }, 'body/count', 'must be an integer'],
  [{ count: 10 }, 'body/count', 'must be at most 9'],
  [{ kind: 'c' }, 'body/kind', 'must be one of: a, b'],
  [{ 'a/b~c': 1 }, 'body/a~1b~0c', 'is not a known field'],
  [JSON.parse('{"__proto__": 1}'), 'body/__proto__', 'is not a known field'],
  [JSON.parse('{"constructor": null}'), 'body/constructor', 'is not a known field'],
  [{ kind: 'a\u0000' }, 'body/kind', 'must not contain NUL or a lone surrogate'],
  [{ settings: { a: ['x', '\ud800'] } }, 'body/settings/a/1', 'must not contain NUL or a lone surrogate'],
  [{ settings: { 'k\u0000': 1 } }, 'body/settings/k\u0000', 'must not contain NUL or a lone surrogate'],
  [7, 'body', 'must be an object'],
  [null, 'body', 'must be an object'],
])('%j is refused at %s: %s', (value, at, message) => {
  expect(errorsOf(Send, value)).toEqual([{ at, message }]);
});

test('the error names every field at fault', () => {
  const errors = errorsOf(Send, { kind: 'c', count: 0, extra: 1, messages: [{}, { to: '' }] });
  expect(errors?.map(({ at }) => at).toSorted()).toEqual([
    'body/count',
    'body/extra',
    'body/kind',
    'body/messages/0/to',
    'body/messages/1/to',
  ]);
});

test('a null counts as absent where the field is optional, and nowhere else', () => {
  const check = compile(Send, 'body');
  expect(check({ kind: null, messages: [{ to: 'x', note: null }] })).toEqual({ messages: [{ to: 'x' }] });
  expect(errorsOf(Send, { messages: [{ to: null }] })).toEqual([
    { at: 'body/messages/0/to', message: 'must be a string' },
  ]);
  expect(errorsOf(Send, { unknown: null })).toEqual([
    { at: 'body/unknown', message: 'is not a known field' },
  ]);
});

test('a null in free-form settings keeps its meaning', () => {
  expect(compile(Send, 'body')({ settings: { sender: null } })).toEqual({ settings: { sender: null } });
});

test('lengths count code points', () => {
  expect(errorsOf(Send, { messages: [{ to: '😀😀😀😀' }] })).toEqual([]);
  expect(errorsOf(Send, { messages: [{ to: '😀😀😀😀😀' }] })).toHaveLength(1);
});

test('a body of more than 20,000 values gets that one error only', () => {
  const tooMany = [{ at: 'body', message: 'has more than 20000 values' }];
  const lists = (length: number): unknown => ({ settings: { '\u0000': '', a: Array(length).fill([]) } });
  expect(errorsOf(Send, lists(19_996))).toHaveLength(1);
  expect(errorsOf(Send, lists(19_996))).not.toEqual(tooMany);
  expect(errorsOf(Send, lists(19_997))).toEqual(tooMany);
  expect(errorsOf(Send, Array(300_000).fill([]))).toEqual(tooMany);
});

test('the error names the first 50 texts that cannot be stored', () => {
  const errors = errorsOf(Send, { settings: { a: [...Array(40).fill('x'), ...Array(100).fill('\u0000')] } });
  expect(errors).toHaveLength(50);
  expect(errors?.at(-1)?.at).toBe('body/settings/a/89');
});

test('numbers and booleans are read out of the text of a query', () => {
  const Query = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    all: Type.Optional(Type.Boolean()),
  });
  expect(compile(Query, 'query')({ limit: '5', all: 'true' })).toEqual({ limit: 5, all: true });
  expect(errorsOf(Query, { limit: 'x' }, 'query')).toEqual([
    { at: 'query/limit', message: 'must be an integer' },
  ]);
  expect(errorsOf(Query, { limit: ['1', '2'] }, 'query')).toHaveLength(1);
});

test('a hostile body costs one error, not one for each of its values', () => {
  const errors = errorsOf(Send, { messages: Array.from({ length: 10_000 }, () => 7) });
  expect(errors).toEqual([{ at: 'body/messages', message: 'must have at most 100 items' }]);
  const deep = JSON.parse(`{"settings": {"a": ${'['.repeat(5_000)}${']'.repeat(5_000)}}}`);
  expect(errorsOf(Send, deep)).toEqual([
    { at: expect.stringMatching(/^body\/settings\/a\/0/), message: 'is nested too deeply' },
  ]);
});

test('of a text whose length depends on another field, the limit that applies is named', () => {
  const text = (maxLength: number) => Type.String({ maxLength });
  const schema = Type.Object(
    { text: text(8), long: Type.Optional(Type.Boolean()) },
    {
      if: { type: 'object', required: ['long'], properties: { long: { type: 'boolean' } } },
      else: { type: 'object', properties: { text: { type: 'string', maxLength: 4 } } },
    },
  );
  expect(errorsOf(schema, { text: '12345678', long: true })).toEqual([]);
  const at = 'body/text';
  for (const value of ['12345', '123456789'])
    expect(errorsOf(schema, { text: value })).toEqual([{ at, message: 'must have at most 4 characters' }]);
  expect(errorsOf(schema, { text: '123456789', long: true })).toEqual([
    { at, message: 'must have at most 8 characters' },
  ]);
  expect(errorsOf(schema, { text: 5 })).toEqual([{ at, message: 'must be a string' }]);
});
