import type { SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import { type Db, findContact, markWritten, saveContact } from '@notify/db';
import { accountRestricted, outcomeOfAck } from './ack.ts';
import { contentOf } from './content.ts';
import type { DeviceStore } from './device-store.ts';
import { wireId } from './message-id.ts';
import type { DeviceSocket } from './socket.ts';

export interface Sender {
  readonly db: Db;
  readonly accountId: string;
  readonly store: DeviceStore;
  readonly socket: DeviceSocket;
  readonly ackMs: number;
  /** Told when WhatsApp says that the account may not write to new contacts. */
  readonly onRestricted: () => Promise<void>;
}

const notConnected: Outcome = {
  kind: 'retry',
  errorCode: 'provider-unreachable',
  text: 'The connection to WhatsApp was lost.',
};

const notOnWhatsapp: Outcome = {
  kind: 'rejected',
  errorCode: 'recipient-unreachable',
  text: 'This number is not on WhatsApp.',
};

/** Sends one message over a device: never to nobody, never half, and `accepted` only on the server's own answer. */
export async function sendOver(sender: Sender, request: SendRequest): Promise<Outcome> {
  const phone = request.to.replace(/\D/g, '');
  if (!sender.socket.isOpen) return notConnected;
  const jid = await recipientOf(sender, phone);
  if (typeof jid !== 'string') return jid;
  if (!(await hasDevice(sender, jid, request.attempt)))
    return unsent('WhatsApp did not name a device of the recipient.');
  const content = await contentOf(request);
  if ('kind' in content) return content;
  const id = wireId(request.messageId);
  const { store, socket } = sender;
  try {
    const message = await socket.prepare(jid, content, id);
    await store.saveSent(id, message);
    await markWritten(sender.db, sender.accountId, phone);
    const answer = socket.ackOf(id, sender.ackMs);
    const written = await writeOut(sender, jid, message, id);
    if (written !== null) return written;
    return await judge(sender, await answer, id, request.attempt);
  } catch (error) {
    return unsent(`The message could not be prepared: ${textOf(error)}`);
  }
}

/** The JID to write to: what is known of the number, or what WhatsApp says of it now. */
async function recipientOf({ db, accountId, socket }: Sender, phone: string): Promise<string | Outcome> {
  const known = await findContact(db, accountId, phone);
  if (known !== null) return known.jid ?? notOnWhatsapp;
  try {
    const jid = await socket.lookUp(phone);
    await saveContact(db, accountId, phone, jid);
    return jid ?? notOnWhatsapp;
  } catch {
    return socket.isOpen ? unsent('WhatsApp did not say whether the number exists.') : notConnected;
  }
}

/** Without one, Baileys would send the message to our own phone alone, and the server would take it. */
async function hasDevice({ socket }: Sender, jid: string, attempt: number): Promise<boolean> {
  return socket.hasDevice(jid, attempt > 1).catch(() => false);
}

async function writeOut(
  { socket }: Sender,
  jid: string,
  message: Parameters<DeviceSocket['relay']>[1],
  id: string,
): Promise<Outcome | null> {
  try {
    await socket.relay(jid, message, id);
    return null;
  } catch (error) {
    const text = textOf(error);
    if (/all encryptions failed/i.test(text))
      return unsent('The message could not be encrypted for the recipient.');
    // It may have been written before what failed.
    return { kind: 'unknown', text: `The connection failed while the message was written: ${text}` };
  }
}

/** Silence means that the connection is not to be trusted: it is made anew, and the message repeated under its id. */
async function judge(
  { socket, onRestricted }: Sender,
  ack: Awaited<ReturnType<DeviceSocket['ackOf']>>,
  id: string,
  attempt: number,
): Promise<Outcome> {
  if (ack === null) {
    socket.cut('no-ack');
    return { kind: 'unknown', text: 'WhatsApp did not confirm the message.' };
  }
  if (ack.error === accountRestricted) await onRestricted();
  return outcomeOfAck(ack, id, attempt);
}

function unsent(text: string): Outcome {
  return { kind: 'retry', errorCode: 'provider-error', text };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
