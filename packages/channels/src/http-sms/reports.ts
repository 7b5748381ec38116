import { scrub } from '@notify/core';
import { readDocument, readForm } from '../callback-body.ts';
import type { CallbackRequest, CallbackResult, Receipt, SendRequest } from '../channel.ts';
import { messageReference, readReference } from '../message-reference.ts';
import { textAt } from '../pointer.ts';
import type { Gateway } from './gateway.ts';

type Reports = NonNullable<Gateway['reports']>;

/**
 * The address the gateway reports to: the account's own, our id in the query, and the gateway's own placeholders after
 * it, untouched. Empty when the service has no public address.
 */
export function reportUrl(request: SendRequest, reports: Gateway['reports']): string {
  if (request.callbackUrl === null) return '';
  const ours = `notify_id=${messageReference(request)}`;
  return [`${request.callbackUrl}?${ours}`, reports?.query ?? ''].filter(Boolean).join('&');
}

/** Reads a delivery report by the field map of the settings. A status the map does not have is ignored. */
export function readReport(request: CallbackRequest, reports: Gateway['reports']): CallbackResult {
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
 * A leading slash makes a name a JSON pointer into the body; others are looked up in the query, then in the form. The body
 * is read as either only where a field asks for it: a form that is no JSON costs an exception. One that holds too much has no
 * field.
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
