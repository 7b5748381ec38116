import type { Channel } from '@notify/core';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { Adapter, Capabilities } from '../adapter/channel.ts';
import { keywordFaults } from './keywords.ts';
import { quietHoursFaults } from './quiet-hours.ts';
import { senderFaults } from './senders.ts';

/** A fault in the settings. `at` is a JSON pointer below the settings, `message` continues "this field …". */
export interface SettingsFault {
  readonly at: string;
  readonly message: string;
}

/** Replaces a secret when settings are shown. Sent back, it keeps the stored value. */
export const mask = '********';

/**
 * What a schema says for forms alone: `labels`, what a person reads in the place of each value of an enum ('' is no value),
 * and `clock`, a time of day as HH:MM.
 */
const forForms = ['labels', 'clock'];

/** A provider as `GET /v1/providers` shows it. `settings` is a JSON Schema; secret fields carry `secret: true`. */
export interface ProviderDescription {
  readonly id: string;
  readonly channel: Adapter['channel'];
  readonly name: string;
  readonly capabilities: Required<Omit<Capabilities, 'replyWindowMs'>> & {
    readonly replyWindowMs: number | null;
  };
  readonly settings: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Settings with more values than this report only their first fault, because a hostile account must not cause thousands
 * of them.
 */
const maxValuesForAllFaults = 1_000;
const maxFaults = 50;
/**
 * The most bytes of an account's settings as JSON. They are decrypted and parsed for every callback and turn, and changes
 * that each are small could make them grow without end.
 */
const maxSettingsBytes = 65_536;

/** The faults in the settings, at most 50. Empty when the account can be stored. Never throws, whatever the JSON. */
export function checkSettings(adapter: Adapter, value: unknown): readonly SettingsFault[] {
  if (Buffer.byteLength(JSON.stringify(value)) > maxSettingsBytes)
    return [{ at: '', message: `must have at most ${maxSettingsBytes / 1_024} KB in total` }];
  const { first, all } = validatorsOf(adapter.settings);
  const valid = countValues(value) > maxValuesForAllFaults ? first : all;
  const misfits = valid(value) ? [] : (valid.errors ?? []).map(toFault);
  const faults = misfits.concat(maskedSecrets(adapter.settings, value, ''));
  const found = faults.length > 0 ? faults : furtherFaults(adapter, value);
  return found.slice(0, maxFaults);
}

function furtherFaults(adapter: Adapter, value: unknown): readonly SettingsFault[] {
  return [
    ...keywordFaults(channelOf(adapter, value), value),
    ...quietHoursFaults(value),
    ...senderFaults(value),
    ...(adapter.check?.(value) ?? []),
  ];
}

interface Validators {
  readonly first: ValidateFunction;
  readonly all: ValidateFunction;
}

/**
 * Each schema is compiled once, because compiling takes longer than all its checks. The cache entry dies with the
 * schema.
 */
const compiled = new WeakMap<TSchema, Validators>();

function validatorsOf(schema: TSchema): Validators {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const compile = (allErrors: boolean) =>
    new Ajv({ allErrors, keywords: ['secret', ...forForms] }).compile(schema);
  const validators = { first: compile(false), all: compile(true) };
  compiled.set(schema, validators);
  return validators;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

/** The settings for display: the mask replaces each secret. */
export function maskSettings(adapter: Adapter, settings: unknown): Fields {
  return maskIn(adapter.settings, settings) as Fields;
}

/**
 * Applies a patch to stored settings by the rules of JSON Merge Patch (RFC 7396): absent keeps, null removes, objects
 * merge, all else replaces. A secret that comes back masked also keeps its old value. The caller must still check the
 * result.
 */
export function mergeSettings(adapter: Adapter, old: unknown, patch: unknown): unknown {
  return mergeIn(adapter.settings, old, patch);
}

/** Whether a field holds a secret: its schema says `secret: true`. */
export function isSecret(schema: TSchema): boolean {
  return (schema as { secret?: unknown }).secret === true;
}

/** A provider's entry in `GET /v1/providers`. */
export function describeProvider(adapter: Adapter): ProviderDescription {
  const { id, channel, name } = adapter;
  const capabilities = {
    linking: false,
    inbound: false,
    replyWindowMs: null,
    silentOn: [],
    interactiveOn: [],
    chatStates: [],
    ...adapter.capabilities,
  };
  const settings = JSON.parse(JSON.stringify(adapter.settings)) as Fields;
  return { id, channel, name, capabilities, settings };
}

function toFault({ keyword, instancePath: at, params, message = 'is invalid' }: ErrorObject): SettingsFault {
  const named = params as { additionalProperty: string; missingProperty: string; allowedValues: unknown[] };
  switch (keyword) {
    case 'additionalProperties':
      return { at: `${at}/${pointerToken(named.additionalProperty)}`, message: 'is not a known field' };
    case 'required':
      return { at: `${at}/${pointerToken(named.missingProperty)}`, message: 'is required' };
    case 'enum':
      return { at, message: `must be one of ${named.allowedValues.join(', ')}` };
    default:
      return { at, message };
  }
}

/** RFC 6901, section 3. */
function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function maskedSecrets(schema: TSchema | undefined, value: unknown, at: string): SettingsFault[] {
  if (schema === undefined) return [];
  if (isSecret(schema))
    return value === mask ? [{ at, message: 'must be the secret itself, not the mask' }] : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    maskedSecrets(fieldSchema(schema, name), field, `${at}/${pointerToken(name)}`),
  );
}

function maskIn(schema: TSchema | undefined, value: unknown): unknown {
  if (schema !== undefined && isSecret(schema)) return mask;
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value).map(([name, field]) => [name, maskIn(fieldSchema(schema, name), field)]),
  );
}

function mergeIn(schema: TSchema | undefined, old: unknown, patch: unknown): unknown {
  if (schema !== undefined && isSecret(schema) && patch === mask) return old;
  if (!isObject(patch)) return patch;
  const before = isObject(old) ? old : {};
  const changed = Object.entries(patch).map(
    ([name, field]) => [name, mergeIn(fieldSchema(schema, name), own(before, name), field)] as const,
  );
  const merged = [...Object.entries(before), ...changed];
  const removed = new Set(
    changed.filter(([, field]) => field === null || field === undefined).map(([name]) => name),
  );
  return fromEntries(merged.filter(([name]) => !removed.has(name)));
}

/** The schema of one field of an object: the field's own, or the schema that a map gives to all its values. */
function fieldSchema(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties, patternProperties } = (schema ?? {}) as Partial<
    Record<string, Record<string, TSchema>>
  >;
  return own(properties ?? {}, name) ?? Object.values(patternProperties ?? {})[0];
}

function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Unlike assignment, safe for a field named `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Fields {
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The channel of an account with these settings. A provider that serves any channel names it in its settings. */
export function channelOf(adapter: Adapter, settings: unknown): Channel {
  if (adapter.channel !== 'any') return adapter.channel;
  return (settings as { channel: Channel }).channel;
}
