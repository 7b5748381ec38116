import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may sign. */
export interface S3Login {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** How far the clock of a client may be off, as with AWS, in ms. */
const skewMs = 15 * 60_000;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The error code with which S3 refuses a request for its signature (Version 4, in the header); null if it is right. Written apart from
 * our client, and from the bytes that arrived.
 */
export function signatureFault(request: IncomingMessage, login: S3Login): string | null {
  const { method = '', url = '/', headers } = request;
  const [, key, day, region, names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (key === undefined || day === undefined) return 'AccessDenied';
  if (key !== login.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== login.region) return 'AuthorizationHeaderMalformed';
  const at = String(headers['x-amz-date']);
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!at.startsWith(day)) return 'AccessDenied';
  if (!(Math.abs(Date.now() - time) <= skewMs)) return 'RequestTimeTooSkewed';
  const signedNames = names.split(';');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (mustBeSigned.some((name) => !signedNames.includes(name))) return 'AccessDenied';
  const { pathname, searchParams } = new URL(url, 'http://peer');
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const canonical = [
    method,
    pathname
      .split('/')
      .map((step) => encode(decodeURIComponent(step)))
      .join('/'),
    query.join('&'),
    ...signedNames.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${digest(canonical)}`;
  const secret = hmac(
    hmac(hmac(hmac(`AWS4${login.secretAccessKey}`, day), login.region), 's3'),
    'aws4_request',
  );
  return timingSafeEqual(hmac(secret, text), Buffer.from(given, 'hex')) ? null : 'SignatureDoesNotMatch';
}
