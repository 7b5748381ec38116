import { createHmac } from 'node:crypto';
import { type ReceiptStatus, scrub } from '@notify/core';
import type { CallbackRequest, CallbackResult, Receipt } from '../adapter/channel.ts';
import type { ProviderErrorCode } from '../error-codes.ts';
import { readDocument } from '../reading/callback-body.ts';
import { isSame } from '../reading/is-same.ts';
import { textAt } from '../reading/pointer.ts';
import { listIn, objectOf } from '../reading/untrusted.ts';
import { readReference } from '../requests/message-reference.ts';
import { advised, type Meaning, meaningOf } from './errors.ts';
import { readMessages } from './cloud-inbound.ts';
import type { WhatsappCloudSettings } from './settings.ts';
import { readTemplateChange } from './template-changes.ts';

/**
 * Meta puts up to 1,000 updates into one callback (developers.facebook.com/docs/graph-api/webhooks/getting-started), and
 * one has about 25 values.
 */
const maxUpdates = 1_000;
const maxValues = 30_000;

/**
 * Reads a callback from Meta. A GET comes when the URL is entered; its answer is the challenge. Signed POSTs carry all
 * events that the app subscribes to, for all its numbers, several in one. Messages that people wrote, statuses of
 * messages and of the account's templates are read from them.
 */
export function readCallback(request: CallbackRequest, settings: WhatsappCloudSettings): CallbackResult {
  if (request.method === 'GET') return readChallenge(request, settings);
  if (!isSigned(request, settings.appSecret)) return { kind: 'forged' };
  const document = readDocument(request.body, maxValues);
  if (document === null)
    return { kind: 'malformed', problem: 'The body is not JSON, or has too many values.' };
  const entries = listIn(document, 'entry');
  const values = entries.flatMap((entry) => valuesIn(entry, 'messages'));
  const updates = values.reduce((sum: number, value) => sum + updatesIn(value), 0);
  if (updates > maxUpdates) return tooMany;
  const receipts = values.flatMap(receiptsIn);
  const read = values.map(readMessages);
  const inbound = read.flatMap((each) => each.inbound);
  const moved = read.flatMap((each) => each.moved);
  const templates = entries
    .filter((entry) => isOwn(entry, settings))
    .flatMap((entry) => valuesIn(entry, 'message_template_status_update'))
    .flatMap((value) => readTemplateChange(value) ?? []);
  return {
    kind: 'receipts',
    receipts,
    ...(templates.length === 0 ? {} : { templates }),
    ...(inbound.length === 0 ? {} : { inbound }),
    ...(moved.length === 0 ? {} : { moved }),
  };
}

const tooMany: CallbackResult = {
  kind: 'malformed',
  problem: `The body has more than ${maxUpdates.toLocaleString('en')} updates.`,
};

function updatesIn(value: unknown): number {
  return listIn(value, 'messages').length + listIn(value, 'statuses').length;
}

function readChallenge(
  { query, secretMatches }: CallbackRequest,
  settings: WhatsappCloudSettings,
): CallbackResult {
  const token = query.get('hub.verify_token') ?? '';
  const known = settings.verifyToken === undefined ? secretMatches : isSame(token, settings.verifyToken);
  if (!known || query.get('hub.mode') !== 'subscribe') return { kind: 'forged' };
  const answer = query.get('hub.challenge') ?? '';
  if (!/^[\w-]{1,200}$/.test(answer)) return { kind: 'malformed', problem: 'The challenge is missing.' };
  return { kind: 'receipts', receipts: [], answer };
}

/** Checks `X-Hub-Signature-256`: `sha256=` and the HMAC of the unchanged body, in hex. */
function isSigned({ headers, body }: CallbackRequest, appSecret: string): boolean {
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return isSame(headers['x-hub-signature-256'] ?? '', signature);
}

/** Whether an entry is about the account's templates. An app may serve several WhatsApp Business accounts. */
function isOwn(entry: unknown, { businessAccountId }: WhatsappCloudSettings): boolean {
  return businessAccountId !== undefined && textAt(entry, '/id') === businessAccountId;
}

/** The values of the entry's changes of one field. */
function valuesIn(entry: unknown, field: string): unknown[] {
  return listIn(entry, 'changes')
    .filter((change) => textAt(change, '/field') === field)
    .map((change) => objectOf(change)['value']);
}

function receiptsIn(value: unknown): Receipt[] {
  const number = textAt(value, '/metadata/phone_number_id');
  return listIn(value, 'statuses').flatMap((status) => {
    const receipt = toReceipt(status);
    return receipt === null ? [] : [{ ...receipt, ...(number === null ? {} : { account: number }) }];
  });
}

const statuses: ReadonlyMap<string | null, ReceiptStatus> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

/** Null for an unknown status, and for one that names no message. */
function toReceipt(document: unknown): Receipt | null {
  const status = statuses.get(textAt(document, '/status'));
  const wamid = textAt(document, '/id');
  if (status === undefined || wamid === null) return null;
  const ours = readReference(textAt(document, '/biz_opaque_callback_data'));
  return {
    messageId: ours?.messageId ?? null,
    part: ours?.part ?? null,
    externalId: scrub(wamid, 512),
    status,
    ...(status === 'sent' ? recipientIn(document) : {}),
    ...(status === 'failed' ? reasonIn(document) : {}),
  };
}

/** The number by which Meta knows the recipient, as its answer to the send told it. That answer may have been lost. */
function recipientIn(document: unknown): Pick<Receipt, 'recipient'> {
  const number = textAt(document, '/recipient_id') ?? '';
  return /^[1-9]\d{6,14}$/.test(number) ? { recipient: `+${number}` } : {};
}

function reasonIn(document: unknown): Pick<Receipt, 'errorCode' | 'providerCode' | 'text'> {
  const code = textAt(document, '/errors/0/code');
  const meaning = code === null ? null : meaningOf(code);
  const words = ['/errors/0/title', '/errors/0/error_data/details'].flatMap(
    (at) => textAt(document, at) ?? [],
  );
  return {
    errorCode: reportedCode(meaning),
    ...(code === null ? {} : { providerCode: scrub(code, 100) }),
    ...(words.length === 0 ? {} : { text: advised(scrub(words.join(': '), 500), meaning) }),
  };
}

/** An error has the same meaning in a receipt as in an answer. Any other code means that the delivery failed. */
function reportedCode(meaning: Meaning | null): ProviderErrorCode {
  if (meaning?.kind === 'media') return 'media-rejected';
  return meaning?.kind === 'rejected' ? meaning.errorCode : 'undelivered';
}
