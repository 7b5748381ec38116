import { type ReceiptStatus, scrub } from '@notify/core';
import type { CallbackRequest, CallbackResult, Receipt } from '../adapter/channel.ts';
import type { Consent } from '../adapter/inbound.ts';
import { readForm } from '../reading/callback-body.ts';
import { openForm, type Pairs } from '../reading/form.ts';
import { readReference } from '../requests/message-reference.ts';
import { receiptErrors } from './errors.ts';
import { readInbound } from './twilio-inbound.ts';
import { referenceParameter } from './request.ts';
import type { TwilioSettings } from './settings.ts';
import { isSignedBy } from './signature.ts';

/**
 * The statuses that change a message. The others (`queued`, `accepted`, `sending` and so on) mean that it is on its
 * way.
 */
const statuses: ReadonlyMap<string, ReceiptStatus> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
  ['undelivered', 'failed'],
  ['canceled', 'failed'],
]);

/** Reads a delivery receipt or an incoming message. */
export function readCallback(request: CallbackRequest, { authToken }: TwilioSettings): CallbackResult {
  const signature = request.headers['x-twilio-signature'];
  if (authToken === undefined || signature === undefined || request.publicUrl === null)
    return { kind: 'forged' };
  const form = request.method === 'POST' ? readForm(request.body) : openForm(Buffer.alloc(0));
  if (form === null || !isSignedBy(authToken, signature, request.publicUrl, form)) return { kind: 'forged' };
  const fields = request.method === 'POST' ? form : request.query;
  const status = fields.get('MessageStatus');
  if (status === null) return readIncoming(fields);
  return readReceipt(request.query.get(referenceParameter), status, fields);
}

function readReceipt(reference: string | null, status: string, fields: Pairs): CallbackResult {
  const known = statuses.get(status);
  if (known === undefined) return { kind: 'receipts', receipts: [] };
  const externalId = fields.get('MessageSid');
  const ours = readReference(reference);
  if (ours === null && externalId === null) {
    return { kind: 'malformed', problem: 'The receipt does not name a message.' };
  }
  const receipt = {
    messageId: ours?.messageId ?? null,
    part: ours?.part ?? null,
    externalId: externalId === null ? null : scrub(externalId, 200),
    status: known,
    ...(known === 'failed' ? failureOf(fields) : {}),
  };
  return { kind: 'receipts', receipts: [receipt], consents: refusalOf(fields) };
}

function failureOf(fields: Pairs): Pick<Receipt, 'errorCode' | 'providerCode' | 'text'> {
  const code = fields.get('ErrorCode') ?? '';
  const text = fields.get('ErrorMessage') ?? '';
  return {
    errorCode: receiptErrors.get(Number(code)) ?? 'undelivered',
    ...(code === '' ? {} : { providerCode: scrub(code, 100) }),
    ...(text === '' ? {} : { text: scrub(text, 500) }),
  };
}

/** A Messaging Service first accepts every message, and only then reports that a recipient has opted out. */
function refusalOf(fields: Pairs): readonly Consent[] {
  return fields.get('ErrorCode') === '21610' ? optOutOf(fields.get('To')) : [];
}

/** Twilio waits 15 s for TwiML; without instructions it sends nothing back (twilio.com/docs/messaging/twiml). */
function readIncoming(fields: Pairs): CallbackResult {
  const inbound = readInbound(fields);
  return inbound === null
    ? { kind: 'malformed', problem: 'The callback names neither a status nor a message and its sender.' }
    : { kind: 'receipts', receipts: [], inbound, answer: '<Response/>', answerType: 'text/xml' };
}

/** A number, preceded by the channel unless that is SMS (`whatsapp:+49…`). */
const address = /^(?:[a-z]{1,20}:)?\+?\d{1,20}$/;

/** Only a number can opt out. */
function optOutOf(recipient: string | null): readonly Consent[] {
  return recipient !== null && address.test(recipient) ? [{ recipient, optedOut: true }] : [];
}
