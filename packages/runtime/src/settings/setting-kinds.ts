import { createSecretKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type ObjectStoreAddress,
  objectStoreUrlForm,
  parseObjectStoreAddress,
  parseRedisAddress,
  readDatabaseUrl,
  redisUrlForms,
} from '@notify/core';
import { levels } from '../logs/event.ts';
import { type LogLevels, logLevelsFault, parseLogLevels } from '../logs/levels.ts';

/** Reads the text of one environment variable. */
export interface Kind<T> {
  /** Completes "expected …" in a problem, and describes the values in `docs/config.md`. */
  readonly expects: string;
  /** The value, or null if the text is invalid. */
  parse(text: string): T | null;
  /** What is wrong with an invalid text, and with which part of it, where it has many. */
  fault?(text: string): string | null;
  /** As `fault`, but repeats no part of the text, which may be a secret. */
  discreetFault?(text: string): string | null;
}

/** One key that seals settings and secrets at rest; `key` has 32 bytes. */
export interface MasterKey {
  readonly version: number;
  readonly key: Buffer;
}

/**
 * One secret that signs access tokens. A token names it by its `kid`. It is a key object, because jsonwebtoken would
 * try to read bytes as PEM first, and make a new key for every token.
 */
export interface JwtSecret {
  readonly kid: string;
  readonly secret: KeyObject;
}

/** Any string. It is never empty, because an empty variable counts as unset. */
export const text: Kind<string> = { expects: 'string', parse: (value) => value };

/** A token of an `Authorization: Bearer` header: RFC 6750, 2.1. */
export const bearerToken: Kind<string> = {
  expects: 'token of letters, digits and `-._~+/`, optionally followed by `=`',
  parse: (value) => (/^[\w.~+/-]+=*$/.test(value) ? value : null),
};

/** An integer from `min` to `max`. */
export function integer(min: number, max: number): Kind<number> {
  return {
    expects: `integer from ${min} to ${max}`,
    parse: (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
      return number >= min && number <= max ? number : null;
    },
  };
}

/** An integer number of seconds, converted to milliseconds. */
export function seconds(min: number, max: number): Kind<number> {
  const whole = integer(min, max);
  return {
    expects: whole.expects,
    parse: (value) => {
      const number = whole.parse(value);
      return number === null ? null : number * 1000;
    },
  };
}

/** `on` or `off`. */
export const onOff: Kind<boolean> = {
  expects: '`on` or `off`',
  parse: (value) => (value === 'on' ? true : value === 'off' ? false : null),
};

/** One of a closed set of words. */
export function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
  return {
    expects: values.map((value) => `\`${value}\``).join(' or '),
    parse: (value) => values.find((one) => one === value) ?? null,
  };
}

/** An absolute URL with one of the schemes, kept as it was written. */
export function urlOf(...schemes: readonly string[]): Kind<string> {
  return {
    expects: `URL that starts with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
    parse: (value) => {
      const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
      return schemes.includes(scheme) ? value : null;
    },
  };
}

/** A Redis, the master that sentinels watch, or a cluster, kept as it was written. */
export const redisUrl: Kind<string> = {
  expects: `URL ${redisUrlForms.map((form) => `\`${form}\``).join(' or ')}, or with \`rediss\` for TLS`,
  parse: (value) => ('fault' in parseRedisAddress(value) ? null : value),
  discreetFault(value) {
    const address = parseRedisAddress(value);
    return 'fault' in address ? address.fault : null;
  },
};

/** A URL of Postgres, with one server or several, kept as it was written. */
export const databaseUrl: Kind<string> = {
  expects: 'URL that starts with `postgres://` or `postgresql://`',
  parse: (value) => ('fault' in readDatabaseUrl(value) ? null : value),
  discreetFault(value) {
    const read = readDatabaseUrl(value);
    return 'fault' in read ? read.fault : null;
  },
};

/** A bucket of an S3-compatible store, with its login. */
export const objectStoreUrl: Kind<ObjectStoreAddress> = {
  expects: `URL \`${objectStoreUrlForm}\``,
  parse: (value) => {
    const read = parseObjectStoreAddress(value);
    return 'fault' in read ? null : read;
  },
  discreetFault(value) {
    const read = parseObjectStoreAddress(value);
    return 'fault' in read ? read.fault : null;
  },
};

/** The service's own address, without a closing slash, so that paths can be appended. */
export const baseUrl: Kind<string> = {
  expects: 'URL that starts with `http://` or `https://`, without query or fragment',
  parse: (value) => {
    const plain = urlOf('http', 'https').parse(value) !== null && !/[?#]/.test(value);
    return plain ? value.replace(/\/+$/, '') : null;
  },
};

/** A mail address, alone or behind a name: `no-reply@example.com`, `Notify <no-reply@example.com>`. */
export const mailAddress: Kind<string> = {
  expects: '`address@host` or `Name <address@host>`',
  parse: (value) =>
    /^(?:[^\s<>@,]+@[^\s<>@,]+|[^<>@,\r\n]+ <[^\s<>@,]+@[^\s<>@,]+>)$/.test(value) ? value : null,
};

const target = /^(?:\[([^\]]+)\]|([^\s:,[\]]+)):(\d{1,5})$/;

/** Addresses with a port: `10.0.0.0/8:8080`, `gateway.local:13013`, `[fd00::/8]:443`. */
export const targets: Kind<readonly string[]> = listOf(
  'CIDR:port or host:port, IPv6 in brackets',
  (item) => {
    const [, bracketed, bare = '', port = ''] = target.exec(item) ?? [];
    const isPort = Number(port) >= 1 && Number(port) <= 65_535;
    const isPlace = bracketed === undefined ? isBlock(bare, 4) || isHostName(bare) : isBlock(bracketed, 6);
    return isPort && isPlace ? item : null;
  },
  (item) => item,
);

/** An address of that family, alone or with a valid prefix length. */
function isBlock(text: string, family: 4 | 6): boolean {
  const [base = '', bits = '0', ...rest] = text.split('/');
  const longest = family === 4 ? 32 : 128;
  return isIP(base) === family && /^\d{1,3}$/.test(bits) && Number(bits) <= longest && rest.length === 0;
}

/** Host names, except those that look like a misspelt address. */
function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9_.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
}

/** An address that replaces a provider's own. */
export interface ProviderUrl {
  readonly provider: string;
  readonly url: string;
}

/** Base URLs by provider: `twilio=http://127.0.0.1:4010`. */
export const providerUrls: Kind<readonly ProviderUrl[]> = listOf(
  '`provider=URL`, each provider once',
  (item) => {
    const [, provider = '', written = ''] = /^([a-z-]+)=(.+)$/.exec(item) ?? [];
    const url = baseUrl.parse(written);
    return provider !== '' && url !== null ? { provider, url } : null;
  },
  ({ provider }) => provider,
);

/** A number per minute, by the tenant's plan. */
export interface PlanRates {
  /** For plans without their own number. */
  readonly every: number;
  readonly byPlan: ReadonlyMap<string, number>;
}

/** A number for every plan, and others for single plans: `60000,trial=600,gold=0`. */
export const planRates: Kind<PlanRates> = {
  expects: 'integer up to 100000000, optionally followed by `plan=integer` for single plans',
  parse: (value) => {
    const [every = null, ...plans] = value
      .split(',')
      .map((item, index) => parsePlanRate(item.trim(), index > 0));
    const known = plans.filter((plan) => plan !== null);
    const byPlan = new Map(known.map(({ plan, rate }) => [plan, rate]));
    return every === null || byPlan.size < plans.length ? null : { every: every.rate, byPlan };
  },
};

function parsePlanRate(
  item: string,
  named: boolean,
): { readonly plan: string; readonly rate: number } | null {
  const [, plan = '', written = ''] =
    (named ? /^([a-z0-9][a-z0-9-]{0,39})=(\d+)$/ : /^()(\d+)$/).exec(item) ?? [];
  const rate = integer(0, 100_000_000).parse(written);
  return rate === null ? null : { plan, rate };
}

/** Master keys. The first one seals, and each version may be listed once. */
export const masterKeys: Kind<readonly MasterKey[]> = listOf(
  '`version:key`, version an integer from 1, key 32 bytes in base64, each version once',
  (item) => {
    const [, version = '', encoded = ''] = /^([1-9]\d{0,8}):(.+)$/.exec(item) ?? [];
    const key = decodeBase64(encoded);
    return key?.length === 32 ? { version: Number(version), key } : null;
  },
  (masterKey) => String(masterKey.version),
);

/** JWT secrets. The first one signs, and each kid may be listed once. */
export const jwtSecrets: Kind<readonly JwtSecret[]> = listOf(
  '`kid:secret`, kid of letters, digits, `_` and `-`, secret at least 32 bytes in base64, each kid once',
  (item) => {
    const [, kid = '', encoded = ''] = /^([\w-]{1,64}):(.+)$/.exec(item) ?? [];
    const secret = decodeBase64(encoded);
    return secret !== null && secret.length >= 32 ? { kid, secret: createSecretKey(secret) } : null;
  },
  (jwtSecret) => jwtSecret.kid,
);

/** A comma-separated list. Null if an item is invalid, or if two have the same identity. */
export function listOf<T>(
  expects: string,
  parseItem: (item: string) => T | null,
  identity: (value: T) => string,
): Kind<readonly T[]> {
  return {
    expects: `comma-separated list of ${expects}`,
    parse: (value) => {
      const items = value === '' ? [] : value.split(',').map((item) => parseItem(item.trim()));
      const values = items.filter((item) => item !== null);
      const distinct = new Set(values.map(identity)).size === values.length;
      return values.length === items.length && distinct ? values : null;
    },
  };
}

/** Standard or URL-safe base64. Null for a wrong character or padding, which Buffer would ignore. */
function decodeBase64(encoded: string): Buffer | null {
  const bare = encoded
    .replace(/={0,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const bytes = Buffer.from(bare, 'base64url');
  return bytes.toString('base64url') === bare ? bytes : null;
}

/** Three numbers separated by dots, such as `2.3000.1043857760`. */
export const threePartVersion: Kind<readonly [number, number, number]> = {
  expects: 'three integers separated by dots',
  parse: (value) => {
    const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,12})$/.exec(value);
    return found === null ? null : [Number(found[1]), Number(found[2]), Number(found[3])];
  },
};

/** 32 bytes in base64. */
export const publicKey: Kind<Buffer> = {
  expects: '32 bytes in base64',
  parse: (value) => {
    const bytes = Buffer.from(value, 'base64');
    return bytes.length === 32 && bytes.toString('base64') === value ? bytes : null;
  },
};

/** A share, such as of messages. */
export const ratio: Kind<number> = {
  expects: 'number from 0 to 1',
  parse: (value) => (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value) ? Number(value) : null),
};

/** HTTP headers as `name=value`, with percent-encoded values, kept as they were written. */
export const headerList: Kind<string> = {
  expects: 'comma-separated list of `name=value`, value percent-encoded',
  parse: (value) => (value.split(',').every((pair) => isHeader(pair.trim())) ? value : null),
};

/** A name is a token (RFC 9110, 5.6.2). */
function isHeader(pair: string): boolean {
  const [, value] = /^[\w!#$%&'*+.^`|~-]+ *=(.*)$/.exec(pair) ?? [];
  return value !== undefined && !/%(?![\da-f]{2})/i.test(value);
}

/** A log level, and others for single components: `info,dispatch=debug`. */
export const logLevels: Kind<LogLevels> = {
  expects: `${[...levels, 'silent'].map((level) => `\`${level}\``).join(' or ')}, optionally followed by \`component=level\` for single components`,
  parse: parseLogLevels,
  fault: logLevelsFault,
};
