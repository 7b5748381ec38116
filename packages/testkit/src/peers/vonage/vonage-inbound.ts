import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type Answered, callOnce } from '../deliver.ts';

/** A text that a person writes, and how the account is told of it. */
export interface VonageInbound {
  readonly from: string;
  readonly text: string;
  /** Vonage's id; by default a new one. */
  readonly id?: string;
  /**
   * The form of the callback: of the Messages API, or of the SMS API as a query, a form or JSON. Default `messages`.
   */
  readonly form?: 'messages' | 'get' | 'post' | 'json';
  /** The parts of the text, for the SMS API alone: each is its own callback. */
  readonly parts?: readonly string[];
  /** The order in which the parts come, by index from 0; an index may be repeated. Default: as they are. */
  readonly order?: readonly number[];
  /** How the SMS API signs. Default: SHA-256 HMAC. */
  readonly method?: 'md5hash' | 'md5' | 'sha1' | 'sha256' | 'sha512';
  /** The type of the SMS API. A `binary` message has bytes instead of a text. */
  readonly type?: 'text' | 'unicode' | 'binary';
}

const account = { to: '447700900000', keyword: 'HI' };

/** One callback: the request, but for the address. */
export interface VonageCall {
  readonly query: URLSearchParams | null;
  readonly init: RequestInit;
}

/** The callback of the Messages API. `sign` gives the token over its body. */
export function messagesCall(
  { from, text, id = randomUUID() }: VonageInbound,
  sign: (body: string) => string,
): VonageCall {
  const body = JSON.stringify({
    to: account.to,
    from: from.replace('+', ''),
    channel: 'sms',
    message_uuid: id,
    timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    message_type: 'text',
    text,
    sms: { num_messages: '1', keyword: account.keyword },
    usage: { price: '0.0057', currency: 'EUR' },
    origin: { network_code: '23410' },
  });
  const headers = { authorization: `Bearer ${sign(body)}`, 'content-type': 'application/json' };
  return { query: null, init: { method: 'POST', headers, body } };
}

/** The callbacks of the SMS API, one for each part in the order asked for. */
export function smsCalls(message: VonageInbound, secret: string): readonly VonageCall[] {
  const { parts = [message.text], id = newId(), form } = message;
  const reference = String(randomBytes(1)[0]);
  const { order = parts.map((_, index) => index) } = message;
  return order.map((index) => {
    const part = { concat: 'true', 'concat-ref': reference, 'concat-total': String(parts.length) };
    const fields = {
      ...fieldsOf(message, parts[index] ?? ''),
      messageId: parts.length === 1 ? id : `${id}${index}`,
      ...(parts.length === 1 ? {} : { ...part, 'concat-part': String(index + 1) }),
    };
    return callOf({ ...fields, sig: signatureOf(fields, secret, message.method) }, form);
  });
}

function fieldsOf({ from, type = 'text' }: VonageInbound, text: string): Record<string, string> {
  const content =
    type === 'binary'
      ? { data: Buffer.from(text).toString('hex'), udh: '' }
      : { text, keyword: account.keyword };
  return {
    msisdn: from.replace('+', ''),
    to: account.to,
    ...content,
    type,
    'api-key': 'a1b2c3d4',
    'message-timestamp': new Date().toISOString().slice(0, 19).replace('T', ' '),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    nonce: randomUUID(),
  };
}

function callOf(fields: Readonly<Record<string, string>>, form: VonageInbound['form']): VonageCall {
  const pairs = new URLSearchParams(fields);
  if (form === 'get') return { query: pairs, init: { method: 'GET' } };
  if (form === 'post') return { query: null, init: { method: 'POST', body: pairs } };
  const headers = { 'content-type': 'application/json' };
  return { query: null, init: { method: 'POST', headers, body: JSON.stringify(fields) } };
}

function signatureOf(
  fields: Readonly<Record<string, string>>,
  secret: string,
  method: VonageInbound['method'] = 'sha256',
): string {
  const names = Object.keys(fields).sort();
  const signed = names.map((name) => `&${name}=${fields[name]!.replace(/[&=]/g, '_')}`).join('');
  return method === 'md5hash'
    ? createHash('md5')
        .update(signed + secret)
        .digest('hex')
    : createHmac(method, secret).update(signed).digest('hex').toUpperCase();
}

/** Makes the call. Vonage gives up on an answer after 10 s or so. */
export function make({ query, init }: VonageCall, url: string): Promise<Answered> {
  return callOnce(query === null ? url : `${url}?${query.toString()}`, init, 10_000);
}

function newId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}
