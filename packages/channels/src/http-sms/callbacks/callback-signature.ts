import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { compileBlocks } from '@notify/egress';
import type { CallbackRequest } from '../../adapter/channel.ts';
import { isSame } from '../../reading/is-same.ts';
import { providerTime } from '../../reading/provider-time.ts';
import type { CallbackSignature } from '../settings/signature-settings.ts';
import { signedBytes } from './signed-text.ts';

const defaultToleranceSeconds = 300;

/**
 * Whether a callback is the gateway's by the signature that its settings name. `nowMs` is the time to which that of the callback is
 * compared. Comparisons take a time that does not depend on where two values differ.
 */
export function hasSignature(request: CallbackRequest, by: CallbackSignature, nowMs: number): boolean {
  switch (by.type) {
    case 'hmac':
      return isSigned(request, by, nowMs, (bytes, signature) => {
        const expected = createHmac(by.algorithm ?? 'sha256', by.secret ?? '')
          .update(bytes)
          .digest();
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      });
    case 'ed25519':
      return isSigned(request, by, nowMs, (bytes, signature) => {
        const key = publicKeyOf(by.publicKey ?? '');
        return key !== null && verify(null, bytes, key, signature);
      });
    case 'basic':
      return hasPassword(request, by);
    case 'addresses':
      return compileBlocks(by.addresses ?? [])(request.address);
  }
}

type Proof = (bytes: Buffer, signature: Buffer) => boolean;

function isSigned(request: CallbackRequest, by: CallbackSignature, nowMs: number, proves: Proof): boolean {
  const signature = signatureIn(request, by);
  const timestamp = headerOf(request, by.timestampHeader);
  if (signature === null) return false;
  if (by.timestampHeader !== undefined && !isRecent(timestamp, by.toleranceSeconds, nowMs)) return false;
  const bytes = signedBytes(by.signed ?? '{{body}}', timestamp, request);
  return bytes !== null && proves(bytes, signature);
}

function signatureIn(request: CallbackRequest, by: CallbackSignature): Buffer | null {
  const { header, prefix = '', type } = by;
  const { encoding = type === 'ed25519' ? 'base64' : 'hex' } = by;
  const written = headerOf(request, header);
  return written?.startsWith(prefix) === true ? decoded(written.slice(prefix.length), encoding) : null;
}

function headerOf({ headers }: CallbackRequest, name: string | undefined): string | null {
  return name === undefined ? null : (headers[name.toLowerCase()]?.trim() ?? null);
}

/** A callback from the future is as wrong as an old one: its signature could be replayed until then. */
function isRecent(
  timestamp: string | null,
  toleranceSeconds = defaultToleranceSeconds,
  nowMs: number,
): boolean {
  const time = providerTime(timestamp);
  return time !== null && Math.abs(nowMs - time.getTime()) <= toleranceSeconds * 1_000;
}

/** The longest signature: an HMAC-SHA512 in hexadecimal digits. */
const maxSignatureLength = 128;

/** Node ignores what follows a wrong character, so a text that is no hex or base64 is refused first. */
function decoded(text: string, encoding: 'hex' | 'base64'): Buffer | null {
  if (text.length > maxSignatureLength) return null;
  const isWritten = encoding === 'hex' ? /^(?:[0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/;
  return isWritten.test(text) ? Buffer.from(text, encoding) : null;
}

/** What precedes the 32 bytes of an Ed25519 key as SubjectPublicKeyInfo (RFC 8410, section 4). */
const beforeKey = Buffer.from('302a300506032b6570032100', 'hex');
const keyBytes = 32;

/** An Ed25519 key of 32 bytes, in base64 or hexadecimal digits. Null for any other text. */
export function publicKeyOf(text: string): KeyObject | null {
  const isHex = text.length === keyBytes * 2;
  const bytes = decoded(text, isHex ? 'hex' : 'base64');
  if (bytes?.length !== keyBytes) return null;
  return createPublicKey({ key: Buffer.concat([beforeKey, bytes]), format: 'der', type: 'spki' });
}

/** RFC 7617. The scheme may be written in any case. */
function hasPassword(
  { headers }: CallbackRequest,
  { username = '', password = '' }: CallbackSignature,
): boolean {
  const [, credentials] =
    /^basic +([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(headers['authorization'] ?? '') ?? [];
  if (credentials === undefined) return false;
  return isSame(Buffer.from(credentials, 'base64').toString('utf8'), `${username}:${password}`);
}
