import type { Inbound } from '../adapter/inbound.ts';
import { phoneAddress } from '../reading/phone-address.ts';
import { textAt } from '../reading/pointer.ts';
import { providerTime } from '../reading/provider-time.ts';

/** The fields of a callback, whether they came as JSON, as a form or in the query. */
export type Fields = Readonly<Record<string, unknown>>;

/** Carriers cut a text into at most 255 parts (3GPP TS 23.040, 9.2.3.24.1). */
const maxParts = 255;

/**
 * Reads an incoming SMS. An application with the Messages capability gets it in the form of the Messages API
 * (developer.vonage.com/en/api/messages-olympus, "Inbound Message"), where Vonage puts long texts together. An account
 * whose default SMS setting is the SMS API gets it in that form, cut as the carrier cut it
 * (developer.vonage.com/en/messaging/sms/guides/inbound-sms). Null if it names no message or nobody who wrote it.
 */
export function readInbound(fields: Fields): Inbound | null {
  const text = (name: string): string | null => textAt(fields, `/${name}`);
  const bySmsApi = text('msisdn') !== null;
  const externalId = text(bySmsApi ? 'messageId' : 'message_uuid') ?? '';
  const from = phoneAddress(text(bySmsApi ? 'msisdn' : 'from') ?? '');
  if (externalId === '' || from === '') return null;
  const to = phoneAddress(text('to') ?? '');
  const piece = bySmsApi ? pieceOf(fields, from) : null;
  return {
    externalId,
    from,
    to: to === '' ? null : to,
    sentAt: providerTime(text(bySmsApi ? 'message-timestamp' : 'timestamp')),
    ...contentOf(text('text'), text(bySmsApi ? 'type' : 'message_type')),
    contact: null,
    replyTo: null,
    ...(piece === null ? {} : { piece }),
  };
}

const texts: ReadonlySet<string | null> = new Set(['text', 'unicode', null]);

function contentOf(text: string | null, kind: string | null): Pick<Inbound, 'type' | 'body' | 'file'> {
  return texts.has(kind) && text !== null
    ? { type: 'text', body: { text }, file: null }
    : { type: 'unsupported', body: { kind: kind ?? 'unknown' }, file: null };
}

/** Parts of one text share `concat-ref`, which carriers count up to 255 or 65,535 for each sender and receiver. */
function pieceOf(fields: Fields, from: string): NonNullable<Inbound['piece']> | null {
  if (textAt(fields, '/concat') !== 'true') return null;
  const [index, total] = [numberAt(fields, 'concat-part'), numberAt(fields, 'concat-total')];
  const reference = textAt(fields, '/concat-ref') ?? '';
  if (index === null || total === null || index > total || total < 2 || reference === '') return null;
  return { reference: `${from} ${textAt(fields, '/to') ?? ''} ${reference}`, index, total };
}

function numberAt(fields: Fields, name: string): number | null {
  const written = textAt(fields, `/${name}`) ?? '';
  const value = Number(written);
  return /^\d{1,3}$/.test(written) && value >= 1 && value <= maxParts ? value : null;
}
