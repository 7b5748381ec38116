import { readFile } from 'node:fs/promises';
import type { Notify } from '@notify/sdk';
import type { Context } from '../context.ts';
import { CommandFailure, UsageFailure } from '../failures.ts';
import { list, repeated, text } from '../options.ts';

/** Options for an account's settings. None takes a secret, because every user can read command lines. */
export const settingsOptions = {
  set: repeated('<name=value>', 'A setting that is no secret. Once for each.'),
  ask: list(
    '<name>',
    'Ask for this setting, without showing it if it is a secret. One of several secrets is <name>.<secret>.',
  ),
  settingsFile: text('<file>', 'A JSON file with settings, secrets too. - reads standard input.'),
};

export interface SettingsChoice {
  readonly set: readonly string[] | undefined;
  readonly ask: readonly string[] | undefined;
  readonly settingsFile: string | undefined;
}

/** What the schema of a provider says of one setting. */
interface Setting {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly secret?: boolean;
  /** The values of a map, whose names the tenant chooses. */
  readonly patternProperties?: Readonly<Record<string, Setting>>;
}

/** The settings of a provider, as its JSON Schema says. */
export interface SettingsSchema {
  readonly properties: Readonly<Record<string, Setting>>;
  readonly required: readonly string[];
}

/** The schema of a provider's settings. Throws UsageFailure with the known providers if there is no such provider. */
export async function settingsOf(
  notify: Notify,
  provider: string,
  signal: AbortSignal,
): Promise<SettingsSchema> {
  const providers = await notify.providers.list({ signal });
  const found = providers.find(({ id }) => id === provider);
  if (found === undefined)
    throw new UsageFailure(`--provider must be one of ${providers.map(({ id }) => id).join(', ')}`);
  const { properties = {}, required = [] } = found.settings as Partial<SettingsSchema>;
  return { properties, required };
}

/** Collects settings from the file, from --set and, on a terminal, by asking for what is missing. */
export async function collectSettings(
  context: Context,
  schema: SettingsSchema,
  { set = [], ask = [], settingsFile }: SettingsChoice,
  required: readonly string[],
): Promise<Record<string, unknown>> {
  const settings = settingsFile === undefined ? {} : await fromFile(context, settingsFile);
  for (const [name, value] of set.map((one) => setting(one, schema))) settings[name] = value;
  const missing = required.filter((name) => settings[name] === undefined);
  for (const name of new Set([...missing, ...ask])) {
    const [map, secret] = secretOfMap(name, schema) ?? [];
    if (map === undefined || secret === undefined) settings[name] = await asked(context, name, schema);
    else settings[map] = { ...mapOf(settings[map]), [secret]: await askedSecret(context, map, secret) };
  }
  return settings;
}

/** `secrets.token` as the name of a map of secrets and of one of them; null for any other setting. */
function secretOfMap(name: string, schema: SettingsSchema): readonly [string, string] | null {
  const [map = '', ...rest] = name.split('.');
  if (rest.length === 0 || !holdsSecrets(known(map, schema))) return null;
  return [map, rest.join('.')];
}

function holdsSecrets({ patternProperties = {} }: Setting): boolean {
  return Object.values(patternProperties).some(({ secret }) => secret === true);
}

function mapOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

async function askedSecret({ questions }: Context, map: string, secret: string): Promise<string> {
  return questions.secret(`${map}.${secret}`, `the setting ${map}.${secret} (by --settings-file)`);
}

function setting(typed: string, schema: SettingsSchema): [string, unknown] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
  if (name === undefined || value === undefined) throw new UsageFailure('--set must be name=value');
  const one = known(name, schema);
  if (one.secret === true || holdsSecrets(one)) {
    const asking = one.secret === true ? name : `${name}.<secret>`;
    throw new UsageFailure(`--set must not hold the secret ${name}: use --ask ${asking} or --settings-file`);
  }
  return [name, typedValue(value, one)];
}

function known(name: string, { properties }: SettingsSchema): Setting {
  const found = properties[name];
  if (found !== undefined) return found;
  throw new UsageFailure(`there is no setting ${name}; there are ${Object.keys(properties).join(', ')}`);
}

/** A text stays one; everything else is read as JSON. */
function typedValue(value: string, { type }: Setting): unknown {
  if (type === 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

async function asked({ questions }: Context, name: string, schema: SettingsSchema): Promise<unknown> {
  const one = known(name, schema);
  if (holdsSecrets(one))
    throw new UsageFailure(`--ask ${name} must name one of its secrets: ${name}.<secret>`);
  const question = [one.title ?? name, one.description].filter(Boolean).join(': ');
  const instead = `the setting ${name} (by --settings-file${one.secret === true ? '' : ' or --set'})`;
  if (one.secret === true) return typedValue(await questions.secret(question, instead), one);
  return typedValue(await questions.text(question, { initial: '', instead }), one);
}

async function fromFile({ readInput }: Context, file: string): Promise<Record<string, unknown>> {
  const text = file === '-' ? await readInput() : await readFile(file, 'utf8').catch(cannotRead);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // The error of the parser could quote a secret, so the same answer follows.
  }
  throw new UsageFailure('--settings-file must hold a JSON object');
}

function cannotRead(error: unknown): never {
  throw new CommandFailure(
    `cannot read --settings-file: ${error instanceof Error ? error.message : String(error)}`,
  );
}
