import { type ReceiptStatus, scrub } from '@notify/core';
import { readDocument } from '../callback-body.ts';
import type { CallbackRequest, CallbackResult, Receipt } from '../channel.ts';
import { readReference } from '../message-reference.ts';
import { receiptErrors } from './errors.ts';
import { fieldsOf, readProblem } from './problem.ts';
import type { VonageSettings } from './settings.ts';
import { isSigned } from './signature.ts';

const statuses: ReadonlyMap<string, ReceiptStatus> = new Map([
  ['submitted', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['rejected', 'failed'],
  ['undeliverable', 'failed'],
]);

/** Reads a delivery receipt. An incoming text has no status; it is acknowledged and discarded. */
export function readCallback(request: CallbackRequest, settings: VonageSettings): CallbackResult {
  const { authorization } = request.headers;
  if (!isSigned(authorization, request.body, settings, Date.now() / 1_000)) return { kind: 'forged' };
  const { status, client_ref: reference, message_uuid: uuid, error } = fieldsOf(readDocument(request.body));
  const known = typeof status === 'string' ? statuses.get(status) : undefined;
  if (known === undefined) return { kind: 'receipts', receipts: [] };
  const ours = readReference(typeof reference === 'string' ? reference : null);
  const externalId = typeof uuid === 'string' ? scrub(uuid, 200) : null;
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
