import { chooseSender, smsSegments } from '@notify/core';
import type { HttpRequest } from '@notify/egress';
import type { SendRequest } from '../../adapter/channel.ts';
import { messageReference } from '../../requests/message-reference.ts';
import { receiptUrl } from '../callbacks/receipts.ts';
import type { Gateway, Probe } from '../gateways/gateway.ts';
import { lifetimeNumbers, lifetimePlaceholders, lifetimeValues } from './lifetime-values.ts';
import { measureOf, placeSizes, type Templates, totalBytes } from './request-size.ts';
import { type Encoder, fill, fillFields, headerSafe, jsonEscaped, urlEncoded, verbatim } from './template.ts';

/** The placeholders that every template may use, besides `secret.` with the name of a secret. */
export const placeholders = [
  'to',
  'from',
  'text',
  'id',
  'dlr_url',
  'coding',
  'part',
  'parts',
  ...lifetimePlaceholders,
] as const;

/** The placeholders that are numbers, so they may stand outside a string of JSON. */
export const numericPlaceholders = ['part', 'parts', ...lifetimeNumbers] as const;

type HttpParts = Pick<HttpRequest, 'method' | 'url' | 'headers'> & { readonly body?: string };
type Values = ReadonlyMap<string, string>;

/** A request before its templates are filled. */
export interface Draft {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Gateway['headers'];
  readonly body: Gateway['body'] | null;
  readonly values: Values;
}

/** The request that hands one text to the gateway. */
export function sendingDraft(gateway: Gateway, request: SendRequest, text: string): Draft {
  const { method, url, headers, body, reportBody } = gateway;
  const values = sendingValues(gateway, request, text);
  return { method, url, headers, body: request.callbackUrl === null ? body : (reportBody ?? body), values };
}

/** The request that tests the account without sending a message. */
export function probingDraft(gateway: Gateway, { url, body }: Probe): Draft {
  return { method: 'GET', url, headers: gateway.headers, body, values: accountValues(gateway) };
}

/** The bytes of the request that `build` makes of a draft, computed before it is made. */
export function sizeOf(draft: Draft): number {
  return totalBytes(placeSizes(templatesOf(draft), measureOf(draft.values)));
}

/** The templates of a draft, as `placeSizes` takes them. */
export function templatesOf({ url, headers, body }: Omit<Draft, 'method' | 'values'>): Templates {
  const isForm = body?.type === 'query' || body?.type === 'form';
  return {
    url,
    headers,
    fields: (isForm ? body.fields : null) ?? {},
    body: body === null || isForm ? null : { template: body.template ?? '', encode: bodyEncoder(body) },
  };
}

/** Fills a draft. Its size must have been checked. */
export function build({ method, url, headers: templates, body, values }: Draft): HttpParts {
  const address = fill(url, values, urlEncoded);
  const given = filledHeaders(templates, values);
  if (body === null) return { method, url: address, headers: given };
  if (body.type === 'query') {
    return { method, url: withQuery(address, fillFields(body.fields ?? {}, values)), headers: given };
  }
  const headers = { ...(hasContentType(given) ? {} : { 'content-type': contentTypes[body.type] }), ...given };
  return { method, url: address, headers, body: filledBody(body, values) };
}

const contentTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
};

function filledBody(body: Gateway['body'], values: Values): string {
  if (body.type === 'form') return fillFields(body.fields ?? {}, values);
  return fill(body.template ?? '', values, bodyEncoder(body));
}

function bodyEncoder({ type }: Gateway['body']): Encoder {
  return type === 'json' ? jsonEscaped : verbatim;
}

function filledHeaders(headers: Gateway['headers'], values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, fill(value, values, headerSafe)]),
  );
}

function hasContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function sendingValues(gateway: Gateway, request: SendRequest, text: string): Values {
  const { encoding } = smsSegments(text);
  return new Map([
    ...accountValues(gateway),
    ['to', formatNumber(request.to, gateway.numberFormat)],
    ['from', chooseSender(gateway, request.to).from],
    ['text', text],
    ['id', messageReference(request)],
    ['dlr_url', receiptUrl(request, gateway.reports)],
    ['coding', encoding === 'GSM-7' ? gateway.coding.gsm7 : gateway.coding.ucs2],
    ['part', String(request.part + 1)],
    ['parts', String(request.parts)],
    ...lifetimeValues(request.lifetimeMs, gateway.lifetime, Date.now()),
  ]);
}

/** The values that do not depend on a message. */
export function accountValues(gateway: Gateway): Values {
  const secrets = Object.entries(gateway.secrets).map(([name, value]) => [`secret.${name}`, value] as const);
  return new Map([['from', gateway.from] as const, ...Object.entries(gateway.values), ...secrets]);
}

/** Writes an E.164 number in the gateway's format. */
function formatNumber(number: string, format: Gateway['numberFormat']): string {
  const digits = number.replace(/^\+/, '');
  if (format === 'digits') return digits;
  return format === '00' ? `00${digits}` : `+${digits}`;
}
