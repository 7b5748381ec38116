import { scrub } from '@notify/core';
import type { CallbackRequest, CallbackResult, Receipt, SendRequest } from '../../adapter/channel.ts';
import { messageReference, readReference } from '../../requests/message-reference.ts';
import type { Gateway, InboundFields } from '../gateways/gateway.ts';
import { type FieldReader, fieldsOf, itemsOf } from './callback-fields.ts';
import { hasSignature } from './callback-signature.ts';
import { readInbound } from './gateway-inbound.ts';

/** As long as an id of an answer is stored. A shorter one would not equal it. */
const maxIdLength = 512;

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

/**
 * Reads a delivery receipt or an incoming SMS by the field maps of the settings. A callback without the secret in its address, or
 * without the signature that the settings ask for, is forged.
 */
export function readCallback(
  request: CallbackRequest,
  gateway: Pick<Gateway, 'reports' | 'inbound' | 'list' | 'signature'>,
  nowMs: number,
): CallbackResult {
  if (!request.secretMatches) return { kind: 'forged' };
  const { signature, list } = gateway;
  if (signature !== undefined && !hasSignature(request, signature, nowMs)) return { kind: 'forged' };
  if (list === null) return readItem(fieldsOf(request), gateway);
  const items = itemsOf(request, list);
  if (items === null) return { kind: 'malformed', problem: `The list ${list} is missing.` };
  return joined(items.map((fields) => readItem(fields, gateway)));
}

function readItem(
  fields: FieldReader,
  { reports, inbound }: Pick<Gateway, 'reports' | 'inbound'>,
): CallbackResult {
  const field: ValueReader = (name) => fields(name)?.text ?? null;
  const map = inbound(field);
  if (map !== undefined && isInbound(field, map, reports)) return readInbound(fields, map);
  if (reports === undefined)
    return { kind: 'malformed', problem: 'This account is not set up for delivery receipts.' };
  return readReceipt(field, reports);
}

/**
 * All that the items of a list hold. One that cannot be read is left out, because a gateway would repeat all the others until it
 * gives up. Malformed if none can be read.
 */
function joined(results: readonly CallbackResult[]): CallbackResult {
  const read = results.filter((result) => result.kind === 'receipts');
  const [first] = results;
  if (read.length === 0 && first !== undefined) return first;
  return {
    kind: 'receipts',
    receipts: read.flatMap(({ receipts }) => receipts),
    inbound: read.flatMap(({ inbound = [] }) => inbound),
  };
}

/** A receipt has our id, or a status that the field map knows. */
function isInbound(field: ValueReader, { from }: InboundFields, reports: Gateway['reports']): boolean {
  if (field(from) === null || field('notify_id') !== null) return false;
  const status = reports === undefined ? null : field(reports.status);
  return status === null || !Object.hasOwn(reports!.values, status);
}

/** A status that the map lacks is ignored. */
function readReceipt(field: ValueReader, reports: Reports): CallbackResult {
  const value = field(reports.status);
  if (value === null) return { kind: 'malformed', problem: `The field ${reports.status} is missing.` };
  const known = Object.hasOwn(reports.values, value) ? reports.values[value] : undefined;
  if (known === undefined || known === 'ignored') return { kind: 'receipts', receipts: [] };
  const named = whichMessage(field, reports);
  if (named === null) return { kind: 'malformed', problem: 'The receipt does not name a message.' };
  return { kind: 'receipts', receipts: [toReceipt(named, known, value, field, reports)] };
}

type ValueReader = (name: string) => string | null;
type Named = Pick<Receipt, 'messageId' | 'externalId' | 'part'>;

function toReceipt(
  named: Named,
  status: Receipt['status'],
  value: string,
  field: ValueReader,
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

function whichMessage(field: ValueReader, reports: Reports): Named | null {
  const ours = field('notify_id') ?? (reports.id === undefined ? null : field(reports.id));
  const named = reports.externalId === undefined ? null : field(reports.externalId);
  const externalId = named === null ? null : scrub(named.trim(), maxIdLength);
  const reference = readReference(ours);
  if (reference !== null) return { ...reference, externalId };
  return externalId === null ? null : { messageId: null, externalId, part: null };
}
