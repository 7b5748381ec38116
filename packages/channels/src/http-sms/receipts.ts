import { scrub } from '@notify/core';
import { readDocument, readForm } from '../callback-body.ts';
import type { CallbackRequest, CallbackResult, Receipt, SendRequest } from '../channel.ts';
import { messageReference, readReference } from '../message-reference.ts';
import { textAt } from '../pointer.ts';
import type { Gateway } from './gateway.ts';

type Reports = NonNullable<Gateway['reports']>;

/**
 * The address the gateway sends receipts to: the account's callback URL, our id in the query, and after it the
 * gateway's own placeholders, unchanged. Empty when the service has no public address.
 */
export function receiptUrl(request: SendRequest, reports: Gateway['reports']): string {
  if (request.callbackUrl === null) return '';
  const ours = `notify_id=${messageReference(request)}`;
  return [`${request.callbackUrl}?${ours}`, reports?.query ?? ''].filter(Boolean).join('&');
}

/** Reads a delivery receipt by the field map of the settings. A status that the map lacks is ignored. */
export function readReceipt(request: CallbackRequest, reports: Gateway['reports']): CallbackResult {
  if (!request.secretMatches) return { kind: 'forged' };
  if (reports === undefined)
    return { kind: 'malformed', problem: 'This account is not set up for delivery receipts.' };
  const field = fieldReader(request);
  const value = field(reports.status);
  if (value === null) return { kind: 'malformed', problem: `The field ${reports.status} is missing.` };
  const known = Object.hasOwn(reports.values, value) ? reports.values[value] : undefined;
  if (known === undefined || known === 'ignored') return { kind: 'receipts', receipts: [] };
  const named = whichMessage(field, reports);
  if (named === null) return { kind: 'malformed', problem: 'The receipt does not name a message.' };
  return { kind: 'receipts', receipts: [toReceipt(named, known, value, field, reports)] };
}

type FieldReader = (name: string) => string | null;
type Named = Pick<Receipt, 'messageId' | 'externalId' | 'part'>;

function toReceipt(
  named: Named,
  status: Receipt['status'],
  value: string,
  field: FieldReader,
  reports: Reports,
): Receipt {
  const text = reports.text === undefined ? null : field(reports.text);
  return {
    ...named,
    status,
    providerCode: scrub(value, 100),
    ...(status === 'failed' ? { errorCode: 'undelivered' } : {}),
    ...(text === null || text === '' ? {} : { text: scrub(text, 500) }),
  };
}

/**
 * A name with a leading slash is a JSON pointer into the body. Other names are looked up in the query, then in the
 * form. The body is parsed only if a field asks for it, because parsing a form as JSON costs an exception. A body that
 * holds too much has no fields.
 */
function fieldReader({ body, query }: CallbackRequest): FieldReader {
  let form: URLSearchParams | undefined;
  let document: unknown;
  return (name) => {
    if (!name.startsWith('/'))
      return query.get(name) ?? (form ??= readForm(body) ?? new URLSearchParams()).get(name);
    if (document === undefined) document = readDocument(body);
    return textAt(document, name);
  };
}

function whichMessage(field: FieldReader, reports: Reports): Named | null {
  const ours = field('notify_id') ?? (reports.id === undefined ? null : field(reports.id));
  const externalId = reports.externalId === undefined ? null : field(reports.externalId);
  const reference = readReference(ours);
  if (reference !== null) return { ...reference, externalId };
  return externalId === null ? null : { messageId: null, externalId: scrub(externalId, 200), part: null };
}
