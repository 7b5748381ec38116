import type { SecretPlace } from '../../adapter/channel.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { gatewayOf } from '../gateways/profiles.ts';
import type { HttpSmsSettings } from '../settings/settings.ts';
import { numericPlaceholders } from './request.ts';
import { fill, placeholdersIn, shortest } from './template.ts';

interface Part {
  readonly place: string;
  readonly template: string;
}

type Body = Gateway['body'] | null;

/**
 * Where the requests of an account put its secrets: those that send, and the one that verifies. A place is a header, a
 * field, a parameter of the query, the path, a string of a JSON body or a whole text, together with everything that stands
 * in it. So the same header of the same host is another place if its other words change.
 */
export function secretPlaces(settings: HttpSmsSettings): readonly SecretPlace[] {
  const { url, body, headers, reportBody, probe, secretSettings } = gatewayOf(settings);
  const at = (secret: string): string =>
    settings.profile === undefined ? `/secrets/${secret}` : `/${secretSettings[secret] ?? secret}`;
  const sending = [...headerParts(headers), ...bodyParts(body), ...bodyParts(reportBody)];
  return [
    ...placesIn(at, url, sending),
    ...placesIn(at, probe.url, [...headerParts(headers), ...bodyParts(probe.body)]),
  ];
}

function placesIn(at: (secret: string) => string, url: string, parts: readonly Part[]): SecretPlace[] {
  const origin = originOf(url);
  return [...addressParts(url), ...parts].flatMap(({ place, template }) =>
    [...new Set(secretsIn(template))].map((secret) => ({
      at: at(secret),
      origin,
      place: `${place} ${shortest(template)}`,
    })),
  );
}

function secretsIn(template: string): string[] {
  return placeholdersIn(template).flatMap((name) => {
    const [kind, secret] = name.split('.');
    return kind === 'secret' && secret !== undefined ? [secret] : [];
  });
}

/** The placeholders are not in the host, so any value shows the origin. */
function originOf(url: string): string | null {
  return URL.parse(fill(url, new Map(), () => 'x'))?.origin ?? null;
}

function addressParts(url: string): Part[] {
  const [path = '', ...query] = url.split('?');
  const parameters = query.join('?').split('&');
  return [
    { place: 'path', template: path.replace(/^[a-z]+:\/\/[^/]*/i, '') },
    ...parameters.map((template) => ({ place: 'query', template })),
  ];
}

function headerParts(headers: Gateway['headers']): Part[] {
  return Object.entries(headers).map(([name, template]) => ({
    place: `header ${name.toLowerCase()}`,
    template,
  }));
}

function bodyParts(body: Body): Part[] {
  if (body === null) return [];
  const { type, fields = {}, template = '' } = body;
  if (type === 'query' || type === 'form')
    return Object.entries(fields).map(([name, value]) => ({ place: type, template: `${name}=${value}` }));
  return type === 'json' ? jsonParts(template) : [{ place: type, template }];
}

/**
 * The strings of a JSON template by their JSON pointer. The whole template counts as one place if a secret is not in a
 * value of its own: then it is in a name, or in a value that a later one of the same name hides.
 */
function jsonParts(template: string): Part[] {
  // Escapes could hide a placeholder, or look like one that no request fills.
  if (template.includes('\\u')) return [{ place: 'json', template }];
  const parts = stringsIn(parsed(template), 'json');
  const found = parts.flatMap((part) => secretsIn(part.template));
  return found.length === secretsIn(template).length ? parts : [{ place: 'json', template }];
}

/** The placeholders that may stand outside a string. */
const numbers = new RegExp(`\\{\\{(?:${numericPlaceholders.join('|')})\\}\\}`, 'g');

function parsed(template: string): unknown {
  try {
    return JSON.parse(shortest(template).replaceAll(numbers, '1')) as unknown;
  } catch {
    return null;
  }
}

function stringsIn(value: unknown, place: string): Part[] {
  if (typeof value === 'string') return [{ place, template: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    stringsIn(inner, `${place}/${JSON.stringify(name)}`),
  );
}
