import { gatewayProfiles, signatureSettings } from '../../../api/gateway-profiles.ts';
import type { Field } from './fields.ts';
import type { Values } from './values.ts';

/** The fields of a form: the main ones, and those behind "More settings". */
export interface Layout {
  readonly main: readonly Field[];
  readonly more: readonly Field[];
}

/** Whether a setting applies to the values chosen so far. */
type Rule = (at: string, values: Values) => boolean;

const ofTemplate = [
  'method',
  'headers',
  'body',
  'secrets',
  'lifetime',
  'coding',
  'success',
  'externalId',
  'errors',
  'reports',
];
const byTemplate = new Set([...ofTemplate, 'inbound', 'verifyUrl'].map((name) => `/${name}`));
const byProfile = new Set(
  Object.values(gatewayProfiles).flatMap(({ settings }) => settings.map((name) => `/${name}`)),
);

const rules: Readonly<Record<string, Rule>> = {
  'http-sms': (at, values) => {
    const [, signature] = /^\/callbackSignature\/(\w+)$/.exec(at) ?? [];
    if (signature !== undefined) return isOfSignature(signature, chosen(values, '/callbackSignature/type'));
    const profile = gatewayProfiles[chosen(values, '/profile')];
    if (profile !== undefined) {
      const name = at.slice(1);
      if (byProfile.has(at)) return profile.settings.includes(name);
      if (name === 'callbackSignature') return profile.signedBy === name;
      return !byTemplate.has(at) && !profile.without.includes(name);
    }
    if (at === '/body/fields') return values['/body/type'] === 'query' || values['/body/type'] === 'form';
    if (at === '/body/template') return values['/body/type'] === 'json' || values['/body/type'] === 'text';
    return !byProfile.has(at);
  },
};

function chosen(values: Values, at: string): string {
  const value = values[at];
  return typeof value === 'string' ? value : '';
}

function isOfSignature(name: string, type: string): boolean {
  return name === 'type' || signatureSettings[type]?.includes(name) === true;
}

/** For providers with many settings: optional settings that are needed nearly always and so are shown. */
const asked: Readonly<Record<string, ReadonlySet<string>>> = {
  'http-sms': new Set(
    ['profile', 'url', 'from', 'method', 'headers', 'body', 'secrets']
      .map((name) => `/${name}`)
      .concat(...byProfile),
  ),
};

/** The fields that apply to the values chosen so far. The values of other fields are ignored. */
export function shownFields(provider: string, fields: readonly Field[], values: Values): Field[] {
  const rule = rules[provider];
  if (rule === undefined) return [...fields];
  return fields
    .filter(({ at }) => rule(at, values))
    .map((field) =>
      field.input.kind === 'group'
        ? { ...field, input: { ...field.input, fields: shownFields(provider, field.input.fields, values) } }
        : field,
    );
}

/** Places each field. Fields with a default, numbers and groups can go behind "More settings". */
export function layoutOf(provider: string, shown: readonly Field[]): Layout {
  const isMain = ({ at, required, byDefault, input: { kind } }: Field): boolean => {
    const chosen = asked[provider];
    if (required || chosen !== undefined) return required || chosen?.has(at) === true;
    return byDefault === null && (kind === 'text' || kind === 'choice' || kind === 'boolean');
  };
  return { main: shown.filter(isMain), more: shown.filter((field) => !isMain(field)) };
}
