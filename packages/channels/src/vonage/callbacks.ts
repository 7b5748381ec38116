import { type ReceiptStatus, scrub } from '@notify/core';
import type { CallbackRequest, CallbackResult, Receipt } from '../adapter/channel.ts';
import { readDocument, readForm } from '../reading/callback-body.ts';
import { textAt } from '../reading/pointer.ts';
import { readReference } from '../requests/message-reference.ts';
import { receiptErrors } from './errors.ts';
import { type Fields, readInbound } from './vonage-inbound.ts';
import { fieldsOf, readProblem } from './problem.ts';
import type { VonageSettings } from './settings.ts';
import { isSigned } from './signature.ts';
import { hasSignature } from './sms-signature.ts';

const statuses: ReadonlyMap<string, ReceiptStatus> = new Map([
  ['submitted', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['rejected', 'failed'],
  ['undeliverable', 'failed'],
]);

/**
 * Reads a delivery receipt or an incoming SMS. Receipts, and messages in the form of the Messages API, are signed by a
 * token in `Authorization` over the body. Messages in the form of the SMS API carry their signature among their fields.
 */
export function readCallback(request: CallbackRequest, settings: VonageSettings): CallbackResult {
  const { authorization } = request.headers;
  const nowSeconds = Date.now() / 1_000;
  if (authorization !== undefined) {
    if (!isSigned(authorization, request.body, settings, nowSeconds)) return { kind: 'forged' };
    const fields = fieldsOf(readDocument(request.body));
    return typeof fields['status'] === 'string' ? readReceipt(fields) : readIncoming(fields);
  }
  const fields = smsFieldsOf(request);
  return hasSignature(fields, settings.signatureSecret, nowSeconds)
    ? readIncoming(fields)
    : { kind: 'forged' };
}

/** The fields of a callback of the SMS API: the query of a GET, else a form or JSON. */
function smsFieldsOf({ method, query, headers, body }: CallbackRequest): Fields {
  if (method === 'GET') return fromPairs(query);
  if (/\bjson\b/i.test(headers['content-type'] ?? '')) return fieldsOf(readDocument(body));
  return fromPairs(readForm(body) ?? []);
}

/** Without a prototype, so that no name means anything but itself. Of a repeated name the last value counts. */
function fromPairs(pairs: Iterable<readonly [string, string]>): Fields {
  return Object.assign(Object.create(null) as Fields, Object.fromEntries(pairs));
}

function readIncoming(fields: Fields): CallbackResult {
  const inbound = readInbound(fields);
  return inbound === null
    ? { kind: 'receipts', receipts: [] }
    : { kind: 'receipts', receipts: [], inbound: [inbound] };
}

function readReceipt(fields: Fields): CallbackResult {
  const { status, client_ref: reference, error } = fields;
  const uuid = textAt(fields, '/message_uuid');
  const known = typeof status === 'string' ? statuses.get(status) : undefined;
  if (known === undefined) return { kind: 'receipts', receipts: [] };
  const ours = readReference(typeof reference === 'string' ? reference : null);
  const externalId = uuid === null ? null : scrub(uuid, 200);
  if (ours === null && externalId === null) {
    return { kind: 'malformed', problem: 'The receipt does not name a message.' };
  }
  const receipt = {
    messageId: ours?.messageId ?? null,
    part: ours?.part ?? null,
    externalId,
    status: known,
    ...(known === 'failed' ? failureOf(error) : {}),
  };
  return { kind: 'receipts', receipts: [receipt] };
}

function failureOf(error: unknown): Pick<Receipt, 'errorCode' | 'providerCode' | 'text'> {
  const { code, text } = readProblem(error);
  return {
    errorCode: receiptErrors.get(code ?? '') ?? 'undelivered',
    ...(code === null ? {} : { providerCode: code }),
    ...(text === null ? {} : { text: scrub(text, 500) }),
  };
}
