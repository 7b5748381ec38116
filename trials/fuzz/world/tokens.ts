import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Who an access token of ours speaks of. */
export interface Claims {
  readonly sub: unknown;
  readonly sid: unknown;
}

export interface SigningKey {
  readonly kid: string;
  readonly secret: Buffer;
}

/**
 * Access tokens that must not work, by name: past their time, of another key, another algorithm or none, changed, and
 * signed well with claims that do not hold. `ours` signs where we know the service's key, else none of them is signed
 * well.
 */
export function badTokens(
  ours: SigningKey | null,
  mine: Claims,
  others: Claims,
): Readonly<Record<string, string>> {
  const key = ours ?? { kid: 'k1', secret: randomBytes(32) };
  const now = Math.floor(Date.now() / 1_000);
  const good = { ...mine, iat: now, exp: now + 900 };
  const sign = (claims: object, header: object = {}, secret: Buffer | string = key.secret, hash = 'sha256') =>
    signed({ alg: 'HS256', typ: 'JWT', kid: key.kid, ...header }, claims, secret, hash);
  const [head, , signature] = sign(good).split('.');
  return {
    expired: sign({ ...good, iat: now - 2_000, exp: now - 1_000 }),
    'not yet': sign({ ...good, nbf: now + 600 }),
    'of another key': sign(good, {}, randomBytes(32)),
    'of an unknown kid': sign(good, { kid: '../../dev/null' }),
    'of the kid __proto__': sign(good, { kid: '__proto__' }),
    'of a kid that is an object': sign(good, { kid: {} }),
    'of no kid': sign(good, { kid: undefined }),
    'of no algorithm': `${encode({ alg: 'none', typ: 'JWT', kid: key.kid })}.${encode(good)}.`,
    'of the algorithm nOnE': `${encode({ alg: 'nOnE', kid: key.kid })}.${encode(good)}.${signature}`,
    'by HS512': sign(good, { alg: 'HS512' }, key.secret, 'sha512'),
    'that says RS256': sign(good, { alg: 'RS256' }),
    'by an empty secret': sign(good, {}, ''),
    'with others’ claims': `${head}.${encode({ ...others, iat: now, exp: now + 900 })}.${signature}`,
    'of my session and another tenant': sign({ ...good, sub: others.sub }),
    'of another session and my tenant': sign({ ...good, sid: others.sid }),
    'of nobody': sign({ ...good, sub: randomUUID(), sid: randomUUID() }),
    'of SQL': sign({ ...good, sub: "' or 1=1; --" }),
    'of an object': sign({ ...good, sub: { toString: 'x' }, sid: [] }),
    'that is a string': signed({ alg: 'HS256', kid: key.kid }, 'hello', key.secret, 'sha256'),
    'of null': signed({ alg: 'HS256', kid: key.kid }, null, key.secret, 'sha256'),
    'in two parts': sign(good).split('.').slice(0, 2).join('.'),
    'in four parts': `${sign(good)}.x`,
    empty: '..',
    'of no JSON': `${Buffer.from('{').toString('base64url')}.e30.e30`,
    'of a JSON null': `${Buffer.from('null').toString('base64url')}.bnVsbA.e30`,
    long: `${'a'.repeat(3_000)}.${'b'.repeat(3_000)}.c`,
  };
}

function signed(header: object, claims: unknown, secret: Buffer | string, hash: string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** The claims of a token, unchecked. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims;
}
