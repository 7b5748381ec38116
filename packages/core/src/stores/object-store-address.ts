/** A bucket of an S3-compatible store, and how to log in there. */
export interface ObjectStoreAddress {
  /** Its origin, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Stands before the key of every object: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Why a text is no URL of a bucket. It repeats no part of the text, which holds a secret. */
export interface ObjectStoreAddressFault {
  readonly fault: string;
}

/** The form that `parseObjectStoreAddress` takes. */
export const objectStoreUrlForm = 's3://keyId:secret@bucket[/prefix]?region=…[&endpoint=https://…]';

const pattern = /^s3:\/\/([^:@/?#]+):([^@/?#]+)@([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w./-]*)?\?([^#]*)$/;

/**
 * Reads a URL of the `objectStoreUrlForm`. Key and secret are percent-encoded. Without an endpoint it is that of AWS in the region. Only
 * an origin can be an endpoint, because buckets stand in its path.
 */
export function parseObjectStoreAddress(text: string): ObjectStoreAddress | ObjectStoreAddressFault {
  const [found, id = '', secret = '', bucket = '', path = '', query = ''] = pattern.exec(text) ?? [];
  if (found === undefined) return { fault: `it must have the form ${objectStoreUrlForm}` };
  const { region = '', endpoint, ...others } = Object.fromEntries(new URLSearchParams(query));
  if (Object.keys(others).length > 0) return { fault: 'its query may only have region and endpoint' };
  if (!/^[a-z0-9-]+$/.test(region)) return { fault: 'its query must name the region' };
  const origin = originOf(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (origin === null)
    return { fault: 'its endpoint must be http:// or https:// with a host, without a path' };
  const [accessKeyId, secretAccessKey] = [decoded(id), decoded(secret)];
  if (accessKeyId === null || secretAccessKey === null)
    return { fault: '% must be written as %25 in its key and secret' };
  const steps = path.split('/').filter((step) => step !== '');
  if (steps.some((step) => /^\.+$/.test(step)))
    return { fault: 'its prefix may not have . or .. for a step' };
  const prefix = steps.map((step) => `${step}/`).join('');
  return { endpoint: origin, region, bucket, prefix, accessKeyId, secretAccessKey };
}

function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  const isBare = pathname === '/' && `${search}${hash}${username}${password}` === '';
  return isBare && ['http:', 'https:'].includes(protocol) ? origin : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
