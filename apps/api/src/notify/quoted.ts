import { type Channel, parseId } from '@notify/core';
import type { ApiDeps } from '../deps.ts';
import { invalidRequest } from '../http/problem.ts';

/** A message that a send answers, and the account that both belong to. */
export interface Quoted {
  readonly messageId: string;
  readonly accountId: string;
}

/** The fields of a send that decide whether it may answer a message. */
export interface Answering {
  readonly to: string;
  readonly replyTo?: string;
  readonly channelAccountId?: string;
}

/** The sender and channel of a send, and where its `replyTo` is in the request. */
export interface QuotePlace {
  readonly tenantId: string;
  /** The only accounts of the sender's key, whose messages alone it knows. Null or absent: all. */
  readonly accountIds?: readonly string[] | null;
  readonly channel: Channel;
  readonly at: string;
}

/**
 * The send with the message that it answers. That must be one of the same account and contact, in either direction;
 * otherwise throws a Problem that names the field. Without a `channelAccountId` the send uses the account of the message.
 */
export async function quoting<S extends Answering>(
  send: S,
  { tenantId, accountIds = null, channel, at }: QuotePlace,
  { findQuotable }: Pick<ApiDeps, 'findQuotable'>,
): Promise<S & { readonly quoted?: Quoted }> {
  if (send.replyTo === undefined) return send;
  const messageId = parseId('msg', send.replyTo);
  const found = messageId === null ? null : await findQuotable({ tenantId, messageId, to: send.to });
  const isKnown = found !== null && (accountIds === null || accountIds.includes(found.accountId));
  const message = isKnown ? found : null;
  const accountId = send.channelAccountId?.toLowerCase() ?? message?.accountId;
  const fits = message?.accountId === accountId && message?.channel === channel && message.isOfRecipient;
  if (messageId === null || accountId === undefined || !fits)
    throw invalidRequest({ at, message: 'must be a message of the same account with the same person' });
  return { ...send, quoted: { messageId, accountId } };
}
