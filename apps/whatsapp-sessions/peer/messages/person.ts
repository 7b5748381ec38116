import type { proto } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import { type FileOrder, messageWithFile } from './files.ts';
import { type Envelope, writeTo } from './written.ts';

/** What a person writes to an account. Ids are WhatsApp's. */
export interface InboundOrder extends Envelope {
  readonly account: string;
  readonly text?: string;
  readonly file?: FileOrder;
  /** The message that `text` or `file` answers. */
  readonly answers?: string;
  readonly reaction?: { readonly to: string; readonly emoji: string };
  readonly edits?: string;
  readonly deletes?: string;
  /** Any message in the protocol's own form, bytes in base64. */
  readonly message?: proto.IMessage;
}

/**
 * A person writes to all linked devices of an account, whether they are connected or not. Returns the message's id, the
 * same for all.
 */
export async function write(peer: Peer, order: InboundOrder): Promise<{ id: string }> {
  const message = await messageOf(peer, order);
  let { id } = order;
  for (const device of peer.linked.of(order.account))
    if (!device.loggedOut)
      id = await writeTo(peer, device, { ...order, ...(id === undefined ? {} : { id }) }, message);
  if (id === undefined) throw new Error(`${order.account} has no linked device`);
  return { id };
}

async function messageOf(peer: Peer, order: InboundOrder): Promise<proto.IMessage> {
  const { text = '', file, answers, reaction, edits, deletes, message } = order;
  const context =
    answers === undefined ? {} : { contextInfo: { stanzaId: answers, quotedMessage: { conversation: '' } } };
  if (message !== undefined) return message;
  if (file !== undefined) return messageWithFile(peer, file, context);
  if (reaction !== undefined) return { reactionMessage: { key: { id: reaction.to }, text: reaction.emoji } };
  if (deletes !== undefined) return { protocolMessage: { type: 0, key: { id: deletes } } };
  if (edits !== undefined)
    return { protocolMessage: { type: 14, key: { id: edits }, editedMessage: { conversation: text } } };
  return answers === undefined ? { conversation: text } : { extendedTextMessage: { text, ...context } };
}
