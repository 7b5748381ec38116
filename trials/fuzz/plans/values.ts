import fc from 'fast-check';
import type { Schema } from '../api.ts';

/** Makes values for one field in place of what its schema alone allows: `to`, `url` and the like. */
export type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Longer texts than this are made rarely: they cost time and find little. */
const usualLength = 40;
const usualItems = 4;
const longestText = 8_000;

/** Values that the schema allows. What is in `fields` is made by it, wherever a property of that name stands. */
export function valuesOf(schema: Schema, fields: Fields = {}): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, fields)));
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, fields);
    case 'object':
      return objects(schema, fields);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function texts({ format, pattern, minLength = 0, maxLength = longestText }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.uuid().map((id) => `${id}@fuzz.example`);
  if (format === 'date-time') return times;
  if (pattern !== undefined) return matching(pattern, Math.max(usualLength, minLength));
  const ofLength = (longest: number) =>
    fc.string({
      unit: 'grapheme-composite',
      minLength,
      maxLength: Math.max(minLength, Math.min(maxLength, longest)),
    });
  const full = fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 20, arbitrary: ofLength(usualLength) },
    {
      weight: 1,
      arbitrary: full.map((unit) =>
        Array.from(unit.repeat(maxLength))
          .slice(0, Math.max(minLength, Math.min(maxLength, longestText)))
          .join(''),
      ),
    },
  );
}

/** Points in time that a database has a word for, most of them of these days. */
const times = fc
  .oneof(
    fc.date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
    fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
  )
  .map((date) => date.toISOString());

function lists(
  { items = {}, minItems = 0, maxItems = usualItems, uniqueItems }: Schema,
  fields: Fields,
): fc.Arbitrary<unknown> {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, usualItems)) };
  const item = valuesOf(items, fields);
  return uniqueItems === true ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
}

function objects(
  { properties = {}, required = [], patternProperties, else: limits }: Schema,
  fields: Fields,
): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(
    ([name, schema]) =>
      [name, fields[name] ?? valuesOf(limited(schema, limits?.properties?.[name]), fields)] as const,
  );
  const record = fc.record(Object.fromEntries(known), { requiredKeys: [...required] });
  const [pattern] = Object.entries(patternProperties ?? {});
  if (pattern === undefined) return record;
  const others = fc.dictionary(matching(pattern[0], 20), valuesOf(pattern[1], fields), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(record, others).map(([own, more]) => ({ ...more, ...(own as object) }));
}

/** The schema of a field with the limits of its `else`, so that its values are allowed whatever the other fields are. */
function limited(schema: Schema, limits: Schema | undefined): Schema {
  if (limits === undefined) return schema;
  const { maxLength } = limits;
  return { ...schema, ...(maxLength === undefined ? {} : { maxLength }), else: limits };
}

/** Texts of the pattern; any text for one that looks ahead, of which no generator can make one. */
function matching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  if (/\(\?[=!<]/.test(pattern)) return fc.string({ maxLength });
  return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength });
}
