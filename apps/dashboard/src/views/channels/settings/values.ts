import { plainPhone } from '@notify/core';
import type { Field } from './fields.ts';
import { readZone, writeZone } from './zone.ts';

/** One line of a map, or of a list of rows with two texts each. */
export interface Entry {
  readonly name: string;
  readonly value: string;
}

/** The value of one input. For a secret, null removes the stored one. For a list that may be empty, null is no list. */
export type Value = string | number | boolean | null | readonly string[] | readonly Entry[];

/** The values of the inputs, by the `at` of their fields. */
export type Values = Readonly<Record<string, Value>>;

/** Stored settings, or a patch of them (RFC 7396). */
export type Settings = Readonly<Record<string, unknown>>;

/** The api shows this instead of a stored secret. */
export const mask = '********';

/** A value that cannot be sent. */
export interface Fault {
  readonly at: string;
  /** Continues "this field …". */
  readonly message: string;
}

/** The input values for settings; empty without settings. Secrets are never shown. */
export function valuesOf(fields: readonly Field[], settings: Settings): Values {
  const pairs = fields.flatMap((field): [string, Value][] => {
    const stored = settings[field.name];
    if (field.input.kind === 'group')
      return Object.entries(valuesOf(field.input.fields, isSettings(stored) ? stored : {}));
    return [[field.at, valueOf(field, stored)]];
  });
  return Object.fromEntries(pairs);
}

function valueOf({ input, byDefault }: Field, stored: unknown): Value {
  switch (input.kind) {
    case 'text':
      return input.secret || typeof stored !== 'string' ? '' : stored;
    case 'number':
      return typeof stored === 'number' ? stored : '';
    case 'boolean':
      return byDefault === 'true' ? stored !== false : stored === true;
    case 'choice':
    case 'clock':
      return typeof stored === 'string' ? stored : '';
    case 'list':
      if (Array.isArray(stored)) return stored.map(String);
      return input.mayBeEmpty ? null : [];
    case 'map':
      return Object.entries(isSettings(stored) ? stored : {}).map(([name, value]) => ({
        name,
        value: input.secret ? '' : String(value),
      }));
    case 'pairs':
      return (Array.isArray(stored) ? stored : []).filter(isSettings).map((row) => ({
        name: textIn(row, input.names[0]),
        value: textIn(row, input.names[1]),
      }));
    case 'zone':
      return writeZone(stored);
    case 'json':
    case 'group':
      return stored === undefined ? '' : JSON.stringify(stored, null, 2);
  }
}

function textIn(row: Settings, name: string): string {
  const text = row[name];
  return typeof text === 'string' ? text : '';
}

/** The settings in the inputs, without empty ones. */
export function settingsOf(fields: readonly Field[], values: Values): Settings {
  const pairs = fields.flatMap((field): [string, unknown][] => {
    const value = readField(field, values);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(pairs);
}

/** Whether the field is empty. */
export function isBlank(field: Field, values: Values): boolean {
  return readField(field, values) === undefined;
}

function readField(field: Field, values: Values): unknown {
  if (field.input.kind === 'group') {
    const settings = settingsOf(field.input.fields, values);
    return Object.keys(settings).length === 0 ? undefined : settings;
  }
  return read(field, values[field.at]);
}

function read({ input, byDefault }: Field, value: Value | undefined): unknown {
  if (value === undefined || value === '' || value === null) return undefined;
  if (input.kind === 'list' && input.mayBeEmpty) return value;
  if (input.kind === 'pairs') return readPairs(input.names, value as readonly Entry[]);
  if (Array.isArray(value)) return readSeveral(value as readonly (string | Entry)[]);
  if (input.kind === 'text' && !input.secret && typeof value === 'string') return plainText(value);
  if (input.kind === 'number') return Number(value);
  if (input.kind === 'boolean') return value === (byDefault === 'true') ? undefined : value;
  if (input.kind === 'zone') return typeof value === 'string' ? readZone(value).setting : undefined;
  if (input.kind === 'json') return typeof value === 'string' ? parse(value)?.value : undefined;
  return value;
}

/** A sender may be a phone number. */
function plainText(text: string): string {
  return text.trim().startsWith('+') ? plainPhone(text) : text;
}

/** The rows that are not empty. */
function readPairs([first, second]: readonly [string, string], rows: readonly Entry[]): unknown {
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '');
  if (filled.length === 0) return undefined;
  return filled.map(({ name, value }) => ({ [first]: plainPrefix(name), [second]: plainText(value) }));
}

/** The beginning of a phone number, without what people write for their eyes. */
function plainPrefix(text: string): string {
  const compact = text.replaceAll(/[\s().-]/g, '');
  return /^\+\d+$/.test(compact) ? compact : text.trim();
}

function readSeveral(value: readonly (string | Entry)[]): unknown {
  if (value.length === 0) return undefined;
  const entries = value.filter((each) => typeof each === 'object');
  if (entries.length === 0) return value;
  const named = entries
    .filter(({ name }) => name !== '')
    .map(({ name, value: text }) => [name, text] as const);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/**
 * The patch that turns the stored settings into the values of the inputs (RFC 7396). Unchanged values are left out.
 * Values that were emptied or no longer have a field become null. A secret that was left empty stays.
 */
export function patchOf(fields: readonly Field[], stored: Settings, values: Values): Settings {
  const known = new Set(fields.map(({ name }) => name));
  const gone = Object.keys(stored).filter((name) => !known.has(name));
  const pairs = fields.flatMap((field): [string, unknown][] => {
    const patch = patchField(field, stored[field.name], values);
    return patch === undefined ? [] : [[field.name, patch]];
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...pairs]);
}

function patchField(field: Field, stored: unknown, values: Values): unknown {
  const { input, at } = field;
  if (input.kind === 'text' && input.secret) return values[at] === '' ? undefined : values[at];
  const wanted = readField(field, values);
  if (wanted === undefined) return stored === undefined ? undefined : null;
  if (!isSettings(stored) || !isSettings(wanted)) return same(stored, wanted) ? undefined : wanted;
  if (input.kind === 'group') return orNothing(patchOf(input.fields, stored, values));
  return input.kind === 'map' ? orNothing(patchMap(stored, wanted)) : wanted;
}

/** Removes names that are gone. Unchanged entries, and secrets that were left empty, stay. */
function patchMap(stored: Settings, wanted: Settings): Settings {
  const gone = Object.keys(stored).filter((name) => !Object.hasOwn(wanted, name));
  const changed = Object.entries(wanted).filter(([name, value]) => {
    if (value === '' && stored[name] === mask) return false;
    return !same(stored[name], value);
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...changed]);
}

/** The faults that can be found before sending: missing values and invalid JSON. */
export function faultsIn(fields: readonly Field[], values: Values, stored: Settings): readonly Fault[] {
  return fields.flatMap((field): readonly Fault[] => {
    const { input, at, name, required } = field;
    if (input.kind === 'group') {
      const within = isSettings(stored[name]) ? stored[name] : {};
      return isBlank(field, values) && !required ? [] : faultsIn(input.fields, values, within);
    }
    const value = values[at];
    if (input.kind === 'json' && typeof value === 'string' && value !== '' && parse(value) === null)
      return [{ at, message: 'is not valid JSON' }];
    const keeps = input.kind === 'text' && input.secret && stored[name] !== undefined && value !== null;
    const isMissing = required && !keeps && input.kind !== 'boolean' && read(field, value) === undefined;
    return isMissing ? [{ at, message: 'is required' }] : [];
  });
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function orNothing(patch: Settings): Settings | undefined {
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
