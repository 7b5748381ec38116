import { type Channel, parseId } from '@notify/core';
import { invalidRequest } from '../problems/problem.ts';
import { findQuotable, type LookUps } from './look-up.ts';
import { judgeKnown, judgeRecipient } from './recipient.ts';

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

/** What is known of a send's recipient beside its address. */
export interface Answered {
  readonly quoted?: Quoted;
  /** Somebody wrote from the recipient, so it is taken although no numbering plan has it. */
  readonly isHeard?: true;
}

/**
 * The send with what is known of its recipient, and with the message that it answers. That must be one of the same account and contact, in either direction;
 * otherwise throws a Problem that names the field. Without a `channelAccountId` the send uses the account of the message.
 */
export async function quoting<S extends Answering>(
  send: S,
  place: QuotePlace,
  deps: { readonly lookUps: LookUps },
): Promise<S & Answered> {
  const { tenantId, accountIds = null, channel } = place;
  const isHeard =
    judgeRecipient(channel, send.to) !== null &&
    (await judgeKnown({ tenantId, accountIds, channel, address: send.to }, deps)) === null;
  const known = isHeard ? { ...send, isHeard } : send;
  const quoted = await quotedBy(send, place, deps);
  return quoted === null ? known : { ...known, quoted };
}

async function quotedBy(
  send: Answering,
  { tenantId, accountIds = null, channel, at }: QuotePlace,
  { lookUps }: { lookUps: LookUps },
): Promise<Quoted | null> {
  if (send.replyTo === undefined) return null;
  const messageId = parseId('msg', send.replyTo);
  const found = messageId === null ? null : await findQuotable(lookUps, { tenantId, messageId, to: send.to });
  const isKnown = found !== null && (accountIds === null || accountIds.includes(found.accountId));
  const message = isKnown ? found : null;
  const accountId = send.channelAccountId?.toLowerCase() ?? message?.accountId;
  const fits = message?.accountId === accountId && message?.channel === channel && message.isOfRecipient;
  if (messageId === null || accountId === undefined || !fits)
    throw invalidRequest({ at, message: 'must be a message of the same account with the same person' });
  return { messageId, accountId };
}
