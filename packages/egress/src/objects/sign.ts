import { createHash, createHmac } from 'node:crypto';

/** A request to S3 that is to be signed. */
export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Its path and query are encoded already, the query in the order of its names. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of its body, in hex. Default: that of an empty one. */
  readonly sha256?: string;
}

/** Who signs, and for which region. */
export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const sha256OfNothing = sha256('');

/**
 * The headers of the request with its signature, Version 4, without `host`, which it covers
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export function signed(
  { method, url, headers = {}, sha256: bodySha256 = sha256OfNothing }: S3Request,
  { region, accessKeyId, secretAccessKey }: S3Credentials,
  now: Date,
): Record<string, string> {
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`;
  const own = { ...headers, 'x-amz-content-sha256': bodySha256, 'x-amz-date': at };
  const covered = Object.entries({ ...own, host: url.host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = covered.map(([name]) => name).join(';');
  const lines = covered.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const canonical = [method, url.pathname, url.search.slice(1), lines, names, bodySha256].join('\n');
  const text = [algorithm, at, scope, sha256(canonical)].join('\n');
  const key = [at.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, text).toString('hex');
  const authorization = `${algorithm} Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`;
  return { ...own, authorization };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
