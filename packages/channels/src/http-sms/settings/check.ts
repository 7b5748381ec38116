import { type ProfileName, profileNames } from '../gateways/profile-names.ts';
import { type OfProfiles, settingsOfProfiles } from '../gateways/profile-settings.ts';
import { addressOf, profiles } from '../gateways/profiles.ts';
import { checkPatterns } from '../patterns/check-patterns.ts';
import { checkLifetime } from '../request/lifetime-values.ts';
import { numericPlaceholders, placeholders } from '../request/request.ts';
import { fill, hasStrayBraces, jsonEscaped, placeholdersIn } from '../request/template.ts';
import { checkPublicKey, checkSignature } from './check-signature.ts';
import { checkSize } from './check-size.ts';
import type { HttpSmsSettings } from './settings.ts';

type Fault = { readonly at: string; readonly message: string };

/** Checks the settings beyond their schema. */
export function check(settings: HttpSmsSettings): readonly Fault[] {
  const { profile, verifyUrl } = settings;
  const url = addressOf(settings);
  if (url === '') return [{ at: '/url', message: 'is required' }];
  if (profile !== undefined)
    return [
      ...checkAddress('/url', url, profile),
      ...checkBase(url, profile),
      ...checkProfile(settings, profile),
      ...checkSignature(settings.callbackSignature),
    ];
  return [
    ...checkAddress('/url', url),
    ...(verifyUrl === undefined ? [] : checkAddress('/verifyUrl', verifyUrl)),
    ...settingsOfProfiles.flatMap((name) =>
      notHere(settings, [name], `is only allowed with profile ${profilesWith(name).join(' or ')}`),
    ),
    ...checkTemplates(settings),
    ...checkBody(settings),
    ...checkHeaders(settings),
    ...checkSize(settings),
    ...checkPatterns(settings),
    ...checkSignature(settings.callbackSignature),
    ...checkLifetime(
      settings,
      templatesOf(settings).flatMap(({ template }) => placeholdersIn(template)),
    ),
  ];
}

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
  'inbound',
  'verifyUrl',
] as const;

function profilesWith(setting: OfProfiles): readonly ProfileName[] {
  return profileNames.filter((name) => {
    const { required, optional } = profiles[name];
    return [...required, ...optional].includes(setting);
  });
}

function checkProfile(settings: HttpSmsSettings, profile: ProfileName): Fault[] {
  const { required, without, signedBy } = profiles[profile];
  const missing = required.filter((name) => settings[name] === undefined);
  const others = settingsOfProfiles.filter((name) => !profilesWith(name).includes(profile));
  return [
    ...missing.map((name) => ({ at: `/${name}`, message: `is required with profile ${profile}` })),
    ...notHere(settings, [...ofTemplate, ...others, ...without], `is not allowed with profile ${profile}`),
    ...(signedBy === 'callbackSignature'
      ? []
      : notHere(
          settings,
          ['callbackSignature'],
          `is not allowed with profile ${profile}, whose callbacks are checked by ${signedBy}`,
        )),
    ...checkPublicKey('/publicKey', settings),
  ];
}

function checkBase(url: string, profile: ProfileName): Fault[] {
  if (!profiles[profile].addsPaths || !url.includes('?')) return [];
  return [{ at: '/url', message: `must not have a query with profile ${profile}` }];
}

function notHere(
  settings: HttpSmsSettings,
  names: readonly (keyof HttpSmsSettings)[],
  message: string,
): Fault[] {
  return names.filter((name) => settings[name] !== undefined).map((name) => ({ at: `/${name}`, message }));
}

/** Scheme, host and port. URL parsers drop line ends and tabs, and read a backslash as a slash (URL Standard, 4.4). */
const spelledOutHost = /^https?:\/\/[^\s/\\?#{}]+(?:[/?#]|$)/i;

/**
 * The settings must spell out the host, so that a message's content cannot choose the receiver of the account's
 * secrets.
 */
function checkAddress(at: string, template: string, profile?: ProfileName): Fault[] {
  const url = URL.parse(fill(template, new Map(), () => 'x'));
  const fault = (message: string) => [{ at, message }];
  if (url === null || !spelledOutHost.test(template))
    return fault('must be an http or https URL without placeholders in its host');
  if (url.username !== '' || url.password !== '') return fault('must not contain credentials; use secrets');
  if (template.includes('#')) return fault('must not have a fragment');
  if (profile !== undefined && template.includes('{{'))
    return fault(`must not contain placeholders with profile ${profile}`);
  return [];
}

/** The addresses in valid settings. Their hosts are spelled out, so placeholders cannot change them. */
export function addresses(settings: HttpSmsSettings): readonly { at: string; url: string }[] {
  const { verifyUrl } = settings;
  const filled = (template: string) => fill(template, new Map(), () => 'x');
  const verifying = verifyUrl === undefined ? [] : [{ at: '/verifyUrl', url: filled(verifyUrl) }];
  return [{ at: '/url', url: filled(addressOf(settings)) }, ...verifying];
}

interface Place {
  readonly at: string;
  readonly template: string;
}

function templatesOf(settings: HttpSmsSettings): Place[] {
  const { url = '', verifyUrl = '', headers = {}, body } = settings;
  const fields = body?.fields ?? {};
  return [
    { at: '/url', template: url },
    { at: '/verifyUrl', template: verifyUrl },
    ...Object.entries(headers).map(([name, template]) => ({ at: `/headers/${name}`, template })),
    ...Object.entries(fields).map(([name, template]) => ({ at: `/body/fields/${name}`, template })),
    { at: '/body/template', template: body?.template ?? '' },
  ];
}

function checkTemplates(settings: HttpSmsSettings): Fault[] {
  const known = new Set<string>(placeholders);
  for (const name of Object.keys(settings.secrets ?? {})) known.add(`secret.${name}`);
  const places = templatesOf(settings);
  const unknown = places.flatMap(({ at, template }) => {
    const names = placeholdersIn(template).filter((name) => !known.has(name));
    const stray = hasStrayBraces(template) ? ['something in double braces'] : [];
    return [...names, ...stray].map((name) => ({
      at,
      message: `contains ${name}, which is not a placeholder`,
    }));
  });
  const sent = new Set(
    places.filter(({ at }) => at !== '/verifyUrl').flatMap(({ template }) => placeholdersIn(template)),
  );
  const missing = ['to', 'text'].filter((name) => !sent.has(name));
  const isUnused = settings.senders !== undefined && !sent.has('from');
  const unused = isUnused
    ? [{ at: '/senders', message: 'has no effect: no template contains {{from}}' }]
    : [];
  return [
    ...unknown,
    ...unused,
    ...missing.map((name) => ({ at: '/body', message: `must contain {{${name}}}` })),
  ];
}

function checkBody({ body, method }: HttpSmsSettings): Fault[] {
  if (body === undefined) return [];
  const wanted = body.type === 'query' || body.type === 'form' ? 'fields' : 'template';
  const other = wanted === 'fields' ? 'template' : 'fields';
  const faults: Fault[] = [];
  if (body[wanted] === undefined)
    faults.push({ at: `/body/${wanted}`, message: `is required with type ${body.type}` });
  if (body[other] !== undefined)
    faults.push({ at: `/body/${other}`, message: `is not allowed with type ${body.type}` });
  if (method === 'GET' && body.type !== 'query')
    faults.push({ at: '/body/type', message: 'must be query with method GET' });
  if (body.type === 'json' && body.template !== undefined && !isJsonTemplate(body.template)) {
    faults.push({ at: '/body/template', message: 'must be valid JSON, with placeholders inside strings' });
  }
  return faults;
}

/**
 * `part`, `parts` and the lifetime are numbers and may stand outside a string. Any other value must be inside one, where
 * it cannot break out.
 */
function isJsonTemplate(template: string): boolean {
  const values = new Map(placeholdersIn(template).map((name) => [name, 'a"b']));
  for (const name of numericPlaceholders) values.set(name, '1');
  const filled = fill(template, values, jsonEscaped);
  try {
    JSON.parse(filled);
    return true;
  } catch {
    return false;
  }
}

const ofTheClient =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

function checkHeaders({ headers = {} }: HttpSmsSettings): Fault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const at = `/headers/${name}`;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [{ at, message: 'is not a valid header name' }];
    if (ofTheClient.test(name)) return [{ at, message: 'is set automatically' }];
    return /^[\x20-\x7e]*$/.test(value) ? [] : [{ at, message: 'must be printable ASCII' }];
  });
}
