import { chooseSender, type PrefixSender } from '@notify/core';
import { type GatewayProfile, gatewayProfiles } from '../../../api/gateway-profiles.ts';
import type { Settings } from '../settings/values.ts';

/** The request that hands one message to a gateway, as far as the settings tell. */
export interface Preview {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The message of the preview. Its number is unassigned. */
export const example = {
  to: '+4915735550140',
  text: 'Your code is 4711.',
  id: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
  lifetimeSeconds: 600,
} as const;

/** Shown in the place of secrets. */
const hidden = '••••';

type Encoder = (value: string) => string;
type Values = ReadonlyMap<string, string>;
type Texts = Readonly<Record<string, string>>;

/** The request for the example with these settings. The provider's adapter makes the same one for a real message. */
export function previewOf(settings: Settings, callbackUrl: string | null): Preview {
  const profile = profileOf(settings);
  if (profile === undefined) return templatePreview(settings, valuesOf(settings, callbackUrl));
  const described = asTemplate(settings, profile, callbackUrl);
  const values = new Map([
    ...valuesOf(described, callbackUrl),
    ...ofSettings(settings, profile.request.values, (value) => value),
    ...ofSettings(settings, prefixed(profile.request.secrets), () => hidden),
  ]);
  return templatePreview(withoutEmptyTexts(described, values), values);
}

function profileOf(settings: Settings): GatewayProfile | undefined {
  return gatewayProfiles[text(settings['profile'])];
}

/** Where an account with these settings sends to; empty as long as they do not tell. */
export function addressOf(settings: Settings): string {
  return text(settings['url']) || (profileOf(settings)?.url ?? '');
}

/** The settings of a template that makes the same requests as the profile. */
function asTemplate(settings: Settings, { request }: GatewayProfile, callbackUrl: string | null): Settings {
  const { path, body, reportBody, reportQuery, ...same } = request;
  const base = addressOf(settings);
  return {
    ...settings,
    ...same,
    ...(settings['numberFormat'] === undefined ? {} : { numberFormat: settings['numberFormat'] }),
    secrets: {},
    url: path === '' ? base : `${base.replace(/\/+$/, '')}${path}`,
    body: callbackUrl === null ? body : reportBody,
    reports: { query: reportQuery },
  };
}

/** The values of placeholders that are settings of the profile. */
function ofSettings(
  settings: Settings,
  names: Texts,
  shown: (value: string) => string,
): (readonly [string, string])[] {
  return Object.entries(names).map(([placeholder, name]) => {
    const value = text(settings[name]);
    return [placeholder, value === '' ? '' : shown(value)] as const;
  });
}

function prefixed(secrets: Texts): Texts {
  return Object.fromEntries(Object.entries(secrets).map(([name, setting]) => [`secret.${name}`, setting]));
}

/** A profile leaves out the fields of JSON for which the settings have no value, such as that of the sender. */
function withoutEmptyTexts(settings: Settings, values: Values): Settings {
  const body = within(settings['body']);
  const template = text(body['template'])
    .replace(/"\w+":"\{\{(\w+)\}\}",?/g, (field, name: string) => (values.get(name) === '' ? '' : field))
    .replace(/,(?=[}\]])/g, '');
  return { ...settings, body: { ...body, template } };
}

function templatePreview(settings: Settings, values: Values): Preview {
  const body = within(settings['body']);
  const type = text(body['type']) || 'query';
  const url = fill(text(settings['url']), values, urlEncoded);
  const headers = mapped(texts(settings['headers']), (value) => fill(value, values, plain));
  const method = text(settings['method']) || 'POST';
  const fields = texts(body['fields']);
  if (type === 'query')
    return { method, url: withQuery(url, fillFields(fields, values)), headers, body: null };
  const contentType = contentTypes[type];
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    method,
    url,
    headers: { ...(isGiven || contentType === undefined ? {} : { 'content-type': contentType }), ...headers },
    body:
      type === 'form'
        ? fillFields(fields, values)
        : fill(text(body['template']), values, type === 'json' ? jsonEscaped : plain),
  };
}

const contentTypes: Texts = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
};

function valuesOf(settings: Settings, callbackUrl: string | null): Values {
  const coding = within(settings['coding']);
  return new Map([
    ['to', formatted(example.to, text(settings['numberFormat']))],
    ['from', senderOf(settings)],
    ['text', example.text],
    ['id', example.id],
    [
      'dlr_url',
      callbackUrl === null ? '' : reportUrl(callbackUrl, text(within(settings['reports'])['query'])),
    ],
    ['coding', text(coding['gsm7']) || '0'],
    ['part', '1'],
    ['parts', '1'],
    ...lifetimeOf(within(settings['lifetime'])),
    ...Object.keys(within(settings['secrets'])).map((name) => [`secret.${name}`, hidden] as const),
  ]);
}

/** The sender of the example. The form may hold rows that are not complete. */
function senderOf(settings: Settings): string {
  const rows: readonly unknown[] = Array.isArray(settings['senders']) ? settings['senders'] : [];
  const senders = rows.filter((row): row is PrefixSender => {
    const { prefix, from } = within(row);
    return typeof prefix === 'string' && prefix.length > 1 && typeof from === 'string';
  });
  return chooseSender({ from: text(settings['from']), senders }, example.to).from;
}

/** The lifetime of the example, within the limits of the gateway. */
function lifetimeOf({ minSeconds, maxSeconds }: Settings): readonly (readonly [string, string])[] {
  const seconds = Math.min(
    Math.max(example.lifetimeSeconds, Number(minSeconds ?? 1)),
    Number(maxSeconds ?? Infinity),
  );
  return [
    ['ttl_seconds', String(seconds)],
    ['ttl_minutes', String(Math.max(Math.floor(seconds / 60), 1))],
    ['ttl_ms', String(seconds * 1_000)],
    ['expires_at', new Date(Date.now() + seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')],
  ];
}

/** Where the gateway sends receipts of the message to. */
function reportUrl(callbackUrl: string, query: string): string {
  return `${callbackUrl}?notify_id=${example.id}${query === '' ? '' : `&${query}`}`;
}

function formatted(number: string, format: string): string {
  const digits = number.replace(/^\+/, '');
  if (format === 'digits') return digits;
  return format === '00' ? `00${digits}` : `+${digits}`;
}

function fill(template: string, values: Values, encode: Encoder): string {
  return template.replace(/\{\{ *([a-z_]+(?:\.\w+)?) *\}\}/g, (_, name: string) => {
    const value = values.get(name) ?? '';
    return value === hidden ? hidden : encode(value);
  });
}

function fillFields(fields: Texts, values: Values): string {
  return Object.entries(fields)
    .map(([name, template]) => [name, fill(template, values, plain)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${urlEncoded(name)}=${value === hidden ? hidden : urlEncoded(value)}`)
    .join('&');
}

const plain: Encoder = (value) => value;
const urlEncoded: Encoder = (value) => encodeURIComponent(value);
const jsonEscaped: Encoder = (value) => JSON.stringify(value).slice(1, -1);

function withQuery(url: string, query: string): string {
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function within(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

function texts(value: unknown): Texts {
  return mapped(within(value), text);
}

function mapped<Value>(of: Readonly<Record<string, Value>>, change: (value: Value) => string): Texts {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The request as HTTP writes it. */
export function asHttp({ method, url, headers, body }: Preview): string {
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [...head, ...(body === null ? [] : ['', body])].join('\n');
}
