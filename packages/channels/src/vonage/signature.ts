import { createHash, timingSafeEqual } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { VonageSettings } from './settings.ts';

/** Vonage repeats a callback for a day, so an older one is refused. */
const maxAgeSeconds = 24 * 3_600;
const maxClockSkewSeconds = 300;

/**
 * Checks the `Authorization` of a callback (developer.vonage.com/en/getting-started/concepts/webhooks). It must be a
 * JWT, signed by HS256 with the account's signature secret, at most a day old, and with the SHA-256 of the body's bytes
 * as `payload_hash`. If it names an application, that must be the account's.
 */
export function isSigned(
  authorization: string | undefined,
  body: Buffer,
  { signatureSecret, applicationId }: Pick<VonageSettings, 'signatureSecret' | 'applicationId'>,
  nowSeconds: number,
): boolean {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
  const claims = token === undefined ? null : claimsOf(token, signatureSecret, nowSeconds);
  if (claims === null || !isRecent(claims.iat, nowSeconds)) return false;
  const of = claims['application_id'] as unknown;
  if (of !== undefined && of !== applicationId) return false;
  return isHashOf(claims['payload_hash'] as unknown, body);
}

function claimsOf(token: string, secret: string, nowSeconds: number): jwt.JwtPayload | null {
  try {
    const { header, payload } = jwt.verify(token, secret, {
      algorithms: ['HS256'],
      clockTimestamp: nowSeconds,
      complete: true,
    });
    // The library ignores `crit`, whose names must be understood (RFC 7515, 4.1.11).
    return typeof payload === 'string' || header.crit !== undefined ? null : payload;
  } catch {
    return null;
  }
}

/** Whether a callback was signed at most a day ago. */
export function isRecent(issuedAt: unknown, nowSeconds: number): boolean {
  if (typeof issuedAt !== 'number' || Number.isNaN(issuedAt)) return false;
  return issuedAt >= nowSeconds - maxAgeSeconds && issuedAt <= nowSeconds + maxClockSkewSeconds;
}

function isHashOf(hash: unknown, body: Buffer): boolean {
  if (typeof hash !== 'string') return false;
  const expected = Buffer.from(createHash('sha256').update(body).digest('hex'));
  const given = Buffer.from(hash.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}
