import { NotifyError } from './errors.ts';
import type { EventBodies } from './schema.ts';

/** The name of an event. */
export type EventName = keyof EventBodies;

/** The body of a webhook. `event` tells which kind it is. */
export type WebhookEvent = {
  [Name in EventName]: Omit<EventBodies[Name], 'event'> & { readonly event: Name };
}[EventName];

/** Why a webhook was refused. */
export type VerificationFailure =
  | 'body-parsed'
  | 'missing-header'
  | 'invalid-timestamp'
  | 'too-old'
  | 'too-new'
  | 'no-matching-signature'
  | 'invalid-secret'
  | 'not-json';

/** The webhook is not from Notify, too old, or was given in a form that cannot be verified. Answer 400. */
export class WebhookVerificationError extends NotifyError {
  override readonly name: string = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Headers as `fetch`, Node or any framework has them. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How a webhook is verified. */
export interface VerifyOptions {
  /** How far the time of the signature may be from ours, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The present time. Default: the clock. */
  readonly now?: Date;
}

/** What a webhook is signed with beside its body. */
export interface SignOptions {
  /** The id of the event or batch. Default: the `id` of the body. */
  readonly id?: string;
  /** Default: now. */
  readonly now?: Date;
}

/** Several events in one post. */
export interface WebhookBatch {
  /** `bat_…`, the same over its retries. Of a single event, the id of the event. */
  readonly id: string;
  /** In order. */
  readonly events: readonly WebhookEvent[];
}

/**
 * Does what `verify` does for a webhook with `delivery.mode` `batch`: resolves with all events of the post. A post of a single event
 * becomes a batch of one, so a receiver can take both.
 *
 * @throws WebhookVerificationError whose `reason` says why
 */
export async function verifyBatch(
  ...[rawBody, headers, secrets, options]: Parameters<typeof verify>
): Promise<WebhookBatch> {
  const body = (await verified(rawBody, headers, secrets, options)) as WebhookBatch | WebhookEvent;
  return 'events' in body ? body : { id: body.id, events: [body] };
}

/**
 * Checks that a webhook is from Notify (Standard Webhooks, HMAC-SHA256) and resolves with its event. It is asynchronous
 * because WebCrypto is, which every runtime has and which compares in constant time.
 *
 * @param rawBody the body as it arrived: text or bytes, never parsed
 * @param headers the headers of the request
 * @param secrets the webhook's secret (`whsec_…`), or several while it is being replaced: one has to match
 * @throws WebhookVerificationError whose `reason` says why
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return (await verified(rawBody, headers, secrets, options)) as WebhookEvent;
}

/** The JSON of a genuine post. */
async function verified(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<unknown> {
  const body = bytesOf(rawBody);
  const id = demand(headers, 'webhook-id');
  const timestamp = demand(headers, 'webhook-timestamp');
  const signatures = signaturesOf(demand(headers, 'webhook-signature'));
  demandRecent(timestamp, toleranceSeconds, now);
  const signed = joined(`${id}.${timestamp}.`, body);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, 'verify');
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parse(body);
  }
  throw new WebhookVerificationError(
    'no-matching-signature',
    'No signature matches: the secret is another webhook’s, or the body was changed after it arrived.',
  );
}

/** The headers that Notify would send with this body, for tests of a receiver. */
export async function sign(
  rawBody: string,
  secret: string,
  { id, now = new Date() }: SignOptions = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const eventId = id ?? (JSON.parse(rawBody) as { id: string }).id;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = await keyOf(secret, 'sign');
  const signed = joined(`${eventId}.${timestamp}.`, new TextEncoder().encode(rawBody));
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw new WebhookVerificationError(
    'body-parsed',
    'The body is not text or bytes: a parser took it before. Verify the raw body (in Express: express.raw({ type: "application/json" }) on this route).',
  );
}

function demand(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value) return value;
  throw new WebhookVerificationError('missing-header', `The request has no header ${name}.`);
}

function headerOf(headers: WebhookHeaders, name: string): string | null | undefined {
  if (typeof headers.get === 'function') return headers.get(name);
  const all: readonly [string, unknown][] = Object.entries(headers);
  const found = all.find(([one]) => one.toLowerCase() === name)?.[1];
  return [found].flat().find((one) => typeof one === 'string');
}

/** The signatures of version 1. Others, and malformed ones, cannot match. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => decoded(one.slice(3)))
    .filter((one) => one !== null);
}

function demandRecent(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d+$/.test(timestamp))
    throw new WebhookVerificationError('invalid-timestamp', 'webhook-timestamp is not a number of seconds.');
  const age = now.getTime() / 1000 - Number(timestamp);
  if (age >= -toleranceSeconds && age <= toleranceSeconds) return;
  const old = age > toleranceSeconds;
  throw new WebhookVerificationError(
    old ? 'too-old' : 'too-new',
    `The webhook was signed at ${timestamp}, more than ${toleranceSeconds} s ${old ? 'ago' : 'from now'}. Is the clock right?`,
  );
}

/** Some runtimes' types do not declare `CryptoKey`. */
type Key = Parameters<typeof crypto.subtle.verify>[1];

/** HMAC-SHA256 with the bytes that the base64 after `whsec_` stands for. */
function keyOf(secret: string, use: 'sign' | 'verify'): Promise<Key> {
  const bytes = typeof secret === 'string' ? decoded(secret.replace(/^whsec_/, '')) : null;
  if (bytes === null || bytes.length === 0)
    throw new WebhookVerificationError('invalid-secret', 'The secret is not `whsec_` followed by base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** The bytes of base64, or null if it is malformed. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(head);
  const all = new Uint8Array(bytes.length + body.length);
  all.set(bytes);
  all.set(body, bytes.length);
  return all;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError('not-json', 'The signature is right, yet the body is not JSON.');
  }
}
