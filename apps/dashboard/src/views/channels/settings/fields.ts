/** The parts of a JSON Schema for settings that a form uses. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly secret?: boolean;
  /** What a person reads in the place of each value; that of '' is read where there is no value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether it is a time of day, as HH:MM. */
  readonly clock?: boolean;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The kind of input for a setting. */
export type Input =
  | {
      readonly kind: 'text';
      readonly secret: boolean;
      readonly lines: 'one' | 'many';
      readonly email: boolean;
    }
  | { readonly kind: 'number'; readonly integer: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  /** `none` is read while nothing is chosen; null if the schema has no words for that. */
  | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly none: string | null }
  /** A time of day, as HH:MM. */
  | { readonly kind: 'clock' }
  /** Nested settings. */
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** Entries with names that the tenant chooses. */
  | { readonly kind: 'map'; readonly secret: boolean; readonly options: readonly Option[] | null }
  /** `mayBeEmpty`: an empty list differs from none, for which the default applies. */
  | { readonly kind: 'list'; readonly mayBeEmpty: boolean }
  /** Any number of rows with two texts each. `names` are those of the two settings of a row, `labels` their labels. */
  | {
      readonly kind: 'pairs';
      readonly names: readonly [string, string];
      readonly labels: readonly [string, string];
    }
  /** A time zone: the name of one, or that of the recipient. */
  | { readonly kind: 'zone' }
  /** A value that fits no other input. Entered as JSON. */
  | { readonly kind: 'json' };

/** One setting of a provider, as a form shows it. */
export interface Field {
  readonly name: string;
  /** JSON pointer below the settings. */
  readonly at: string;
  readonly label: string;
  readonly description: string | null;
  /** An example value, shown while the input is empty. */
  readonly example: string | null;
  readonly required: boolean;
  /** The default, which applies while the input is empty; null if there is none. */
  readonly byDefault: string | null;
  readonly input: Input;
}

/** A text that may have at least this many characters gets an input with several lines. */
const manyLinesFrom = 5_000;

/** The settings in a schema, in its order. */
export function fieldsOf(schema: Schema, at = ''): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, `${at}/${token(name)}`, required.has(name)),
  );
}

function fieldOf(name: string, schema: Schema, at: string, required: boolean): Field {
  return {
    name,
    at,
    label: schema.title ?? inWords(name),
    description: schema.description ?? null,
    example: exampleOf(schema),
    required,
    byDefault: schema.default === undefined ? null : asText(schema.default),
    input: inputOf(schema, at),
  };
}

function inputOf(schema: Schema, at: string): Input {
  const options = optionsOf(schema);
  if (options !== null) return { kind: 'choice', options, none: schema.labels?.[''] ?? null };
  if (schema.clock === true) return { kind: 'clock' };
  if (schema.anyOf?.some(({ properties }) => properties?.['recipient'] !== undefined))
    return { kind: 'zone' };
  const { type } = schema;
  if (type === 'string') return textInput(schema);
  if (type === 'integer' || type === 'number') {
    return { kind: 'number', integer: type === 'integer', ...limitsOf(schema) };
  }
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array' && schema.items?.type === 'string')
    return { kind: 'list', mayBeEmpty: schema.minItems === undefined };
  if (type === 'array') return pairsInput(schema.items) ?? { kind: 'json' };
  return type === 'object' ? objectInput(schema, at) : { kind: 'json' };
}

function textInput({ secret = false, maxLength = 0, format }: Schema): Input {
  return {
    kind: 'text',
    secret,
    lines: maxLength >= manyLinesFrom ? 'many' : 'one',
    email: format === 'email',
  };
}

function objectInput(schema: Schema, at: string): Input {
  if (schema.properties !== undefined) return { kind: 'group', fields: fieldsOf(schema, at) };
  const [value] = Object.values(schema.patternProperties ?? {});
  if (value === undefined) return { kind: 'json' };
  const options = optionsOf(value);
  if (options === null && value.type !== 'string') return { kind: 'json' };
  return { kind: 'map', secret: value.secret === true, options };
}

/** Null unless each item has two texts. */
function pairsInput({ properties = {} }: Schema = {}): Input | null {
  const [first, second, ...others] = Object.entries(properties);
  if (first === undefined || second === undefined || others.length > 0) return null;
  if (first[1].type !== 'string' || second[1].type !== 'string') return null;
  const label = ([name, { title }]: [string, Schema]): string => title ?? inWords(name);
  return { kind: 'pairs', names: [first[0], second[0]], labels: [label(first), label(second)] };
}

function limitsOf({ minimum, maximum }: Schema): { min?: number; max?: number } {
  return {
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
  };
}

/** The choices: the values of `enum`, or of alternatives with one value each. Null if there are other alternatives. */
function optionsOf(schema: Schema): Option[] | null {
  if (schema.enum !== undefined)
    return schema.enum.map((one) => {
      const value = asText(one);
      return { value, label: schema.labels?.[value] ?? value };
    });
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives === undefined || alternatives.some(({ const: only }) => only === undefined)) return null;
  return alternatives.map(({ const: only, title }) => ({
    value: asText(only),
    label: title ?? asText(only),
  }));
}

function exampleOf({ examples, secret }: Schema): string | null {
  const [first] = examples ?? [];
  if (first === undefined || secret === true) return null;
  const isRow = (one: unknown): boolean => typeof one === 'object' && one !== null;
  if (Array.isArray(first) && first.length > 0 && first.every(isRow))
    return first.map((row: object) => Object.values(row).map(asText).join(' → ')).join(', ');
  const isList = Array.isArray(first) && first.every((one) => typeof one === 'string');
  return isList ? first.join(', ') : asText(first);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `ratePerSecond` as "Rate per second". */
export function inWords(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => {
    return `${before} ${after.toLowerCase()}`;
  });
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A name as a part of a JSON pointer (RFC 6901, section 3). */
export function token(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** All fields, with each group replaced by its fields. */
export function leavesOf(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => (field.input.kind === 'group' ? leavesOf(field.input.fields) : [field]));
}
