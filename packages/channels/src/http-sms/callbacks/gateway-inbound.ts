import { createHash, randomUUID } from 'node:crypto';
import type { CallbackResult } from '../../adapter/channel.ts';
import type { Inbound } from '../../adapter/inbound.ts';
import { withoutMark } from '../../reading/body-text.ts';
import { phoneAddress, uncertainPhoneAddress } from '../../reading/phone-address.ts';
import { providerTime } from '../../reading/provider-time.ts';
import type { InboundFields } from '../gateways/gateway.ts';
import type { Field, FieldReader } from './callback-fields.ts';
import { charsetOf, decodeText } from './charset.ts';

/** Reads an incoming SMS by the field map of the settings. */
export function readInbound(field: FieldReader, map: InboundFields): CallbackResult {
  const of = (name: string | undefined): Field | null => (name === undefined ? null : field(name));
  const addressOf = map.international === false ? uncertainPhoneAddress : phoneAddress;
  const from = addressOf(of(map.from)?.text ?? '');
  const text = of(map.text);
  if (from === '') return { kind: 'malformed', problem: `The field ${map.from} is empty.` };
  if (text === null && map.unsupported === undefined)
    return { kind: 'malformed', problem: `The field ${map.text} is missing.` };
  const to = phoneAddress(of(map.to)?.text ?? '');
  const time = of(map.time)?.text ?? null;
  const message = {
    from,
    to: to === '' ? null : to,
    sentAt: providerTime(time),
    ...contentOf(text, map, of),
    contact: null,
    replyTo: null,
  };
  const id = of(map.id)?.text ?? '';
  return {
    kind: 'receipts',
    receipts: [],
    inbound: [{ externalId: id === '' ? digestOf([from, to, text?.text ?? ''], time) : id, ...message }],
  };
}

type Lookup = (name: string | undefined) => Field | null;

function contentOf(
  text: Field | null,
  map: InboundFields,
  of: Lookup,
): Pick<Inbound, 'type' | 'body' | 'file'> {
  if (text === null || map.unsupported !== undefined)
    return { type: 'unsupported', body: { kind: map.unsupported ?? 'unknown' }, file: null };
  const charset = charsetOf(charsetIn(of(map.charset)?.text ?? null), of(map.coding)?.text ?? null);
  if (charset === null) return { type: 'unsupported', body: { kind: 'binary' }, file: null };
  const decoded = map.encoding === 'hex' ? bytesOfHex(text.text) : charset === 'utf-8' ? null : text.bytes();
  return {
    type: 'text',
    body: { text: withoutMark(decoded === null ? text.text : decodeText(decoded, charset)) },
    file: null,
  };
}

/** A charset, or the one that a Content-Type names. */
function charsetIn(written: string | null): string | null {
  return written?.includes('/') === true ? (/charset="?([^";]+)/i.exec(written)?.[1] ?? null) : written;
}

/** Null for a text that is not in hex after all. */
function bytesOfHex(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(text) ? Buffer.from(text, 'hex') : null;
}

/**
 * A stand-in for an id that the gateway does not send: with a time the same whenever the message comes again, else a new
 * one.
 */
function digestOf(parts: readonly string[], time: string | null): string {
  if (time === null || time === '') return randomUUID();
  return `sha256:${createHash('sha256')
    .update(JSON.stringify([...parts, time]))
    .digest('hex')}`;
}
