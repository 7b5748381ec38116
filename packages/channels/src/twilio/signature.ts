import { createHmac } from 'node:crypto';
import { isSame } from '../reading/is-same.ts';

/**
 * Checks `X-Twilio-Signature`: base64 of the HMAC-SHA1, with the auth token as key, over the whole public URL followed
 * by every POST parameter's name and value, sorted by name (twilio.com/docs/usage/security). Twilio may have signed the
 * URL with or without its port, so both are tried.
 */
export function isSignedBy(
  authToken: string,
  signature: string,
  url: string,
  form: Iterable<readonly [string, string]>,
): boolean {
  const suffix = Buffer.from(signedText(form));
  return spellings(url)
    .map((each) => isSame(signature, sign(authToken, each, suffix)))
    .some(Boolean);
}

/** The parameters, sorted by name. A repeated name contributes each distinct value once, in sorted order. */
function signedText(form: Iterable<readonly [string, string]>): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form) {
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...values.get(name)!].sort().map((value) => name + value))
    .join('');
}

function sign(authToken: string, url: string, suffix: Buffer): string {
  return createHmac('sha1', authToken).update(url).update(suffix).digest('base64');
}

function spellings(url: string): readonly string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)([^/?#:]*|\[[^\]]*\])(:\d+)?(.*)$/is.exec(url) ?? [];
  const usual = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  return [`${scheme}${host}${rest}`, `${scheme}${host}${port === '' ? usual : port}${rest}`];
}
