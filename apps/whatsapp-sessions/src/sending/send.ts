import type { SendRequest } from '@notify/channels';
import { contactKey, contactKeys, type Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findContact, saveContact, takePlace } from '@notify/db/whatsapp';
import { isLidUser } from '@whiskeysockets/baileys';
import type { DeviceSocket } from '../connection/socket.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { addressOf } from '../inbound/address.ts';
import { outcomeOfAck, outcomeOfQuery, queryErrorOf } from './ack.ts';
import { contentOf } from './content.ts';
import { demandLid, withoutLid } from './lid.ts';
import { wireId } from './message-id.ts';

/** The connection and store of the device that sends. */
export interface SendDeps {
  readonly db: Db;
  readonly accountId: string;
  readonly store: DeviceStore;
  readonly socket: DeviceSocket;
  readonly ackMs: number;
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

/**
 * Sends one message over a device. The message has a recipient, is sent whole, and is `accepted` only by the server's
 * own answer.
 */
export async function sendOver(deps: SendDeps, request: SendRequest): Promise<Outcome> {
  const contact = contactKey('whatsapp', request.to);
  if (!deps.socket.isOpen) return notConnected;
  const jid = await recipientOf(deps, request, contact);
  if (typeof jid !== 'string') return jid;
  const unreachable = await withoutDevice(deps, jid, request.attempt);
  if (unreachable !== null) return unreachable;
  const unaddressable = isLidUser(jid)
    ? null
    : await demandLid(deps, jid, contact).catch((error: unknown) =>
        failed(error, request.attempt, textOf(error)),
      );
  if (unaddressable !== null) return unaddressable;
  const content = await contentOf(request);
  if ('kind' in content) return content;
  const id = wireId(request.messageId);
  const { store, socket } = deps;
  try {
    const message = await socket.prepare(jid, content, id, request.replyTo);
    await store.saveSent(id, request.messageId, message);
    await takePlace(deps.db, deps.accountId, contact);
    const answer = socket.ackOf(id, deps.ackMs);
    const written = await writeOut(deps, jid, message, id, request.attempt);
    if (written !== null) return written;
    return withAddress(judge(deps, await answer, id, request.attempt), request.to, jid);
  } catch (error) {
    return failed(error, request.attempt, `The message could not be prepared: ${textOf(error)}`);
  }
}

/** The recipient's JID: their LID as given, else from the store or, if unknown, from WhatsApp. */
async function recipientOf(
  { db, accountId, socket }: SendDeps,
  { to, attempt }: SendRequest,
  contact: string,
): Promise<string | Outcome> {
  const known = await findContact(db, accountId, contact);
  if (known?.lacksLid === true) return withoutLid;
  if (known !== null) return known.jid ?? notOnWhatsapp;
  try {
    const jid = isLidUser(contact) ? contact : await lookUp(socket, to);
    await saveContact(db, accountId, contact, jid);
    return jid ?? notOnWhatsapp;
  } catch (error) {
    if (!socket.isOpen) return notConnected;
    return failed(error, attempt, 'WhatsApp did not confirm that the number exists.');
  }
}

/** Asks for a number as it was written, and then for its other spelling. WhatsApp itself knows only some of them. */
async function lookUp(socket: DeviceSocket, to: string): Promise<string | null> {
  const written = to.replace(/^\+/, '');
  const found = await socket.lookUp(written);
  const [other] = contactKeys('whatsapp', to).filter((digits) => digits !== written);
  return found ?? (other === undefined ? null : socket.lookUp(other));
}

/** An acceptance, with the number by which WhatsApp knows the recipient if it is another one. */
function withAddress(outcome: Outcome, to: string, jid: string): Outcome {
  const known = addressOf(jid);
  if (outcome.kind !== 'accepted' || !known?.startsWith('+') || known.slice(1) === to.replace(/^\+/, ''))
    return outcome;
  return { ...outcome, address: { asked: to, known } };
}

/**
 * Null if the recipient has a device. Without one, Baileys would send the message only to our own phone, and the server
 * would accept it.
 */
async function withoutDevice({ socket }: SendDeps, jid: string, attempt: number): Promise<Outcome | null> {
  const text = 'WhatsApp returned no device of the recipient.';
  try {
    return (await socket.hasDevice(jid, attempt > 1)) ? null : unsent(text);
  } catch (error) {
    return failed(error, attempt, text);
  }
}

async function writeOut(
  { socket }: SendDeps,
  jid: string,
  message: Parameters<DeviceSocket['relay']>[1],
  id: string,
  attempt: number,
): Promise<Outcome | null> {
  try {
    await socket.relay(jid, message, id);
    return null;
  } catch (error) {
    const text = textOf(error);
    // Queries, such as for the recipient's keys, come before anything is written.
    const code = queryErrorOf(error);
    if (code !== null) return outcomeOfQuery(code, attempt);
    if (/all encryptions failed/i.test(text))
      return unsent('The message could not be encrypted for the recipient.');
    // The message may have been written before the failure.
    return { kind: 'unknown', text: `The connection failed while the message was written: ${text}` };
  }
}

/** After silence the connection is not trusted: it is replaced, and the message is repeated under its id. */
function judge(
  { socket }: SendDeps,
  ack: Awaited<ReturnType<DeviceSocket['ackOf']>>,
  id: string,
  attempt: number,
): Outcome {
  if (ack === null) {
    socket.cut('no-ack');
    return { kind: 'unknown', text: 'WhatsApp did not confirm the message.' };
  }
  return outcomeOfAck(ack, id, attempt);
}

/** The message was not sent. The outcome follows from the server's refusal of a query, or is a retry with `text`. */
function failed(error: unknown, attempt: number, text: string): Outcome {
  const code = queryErrorOf(error);
  return code === null ? unsent(text) : outcomeOfQuery(code, attempt);
}

function unsent(text: string): Outcome {
  return { kind: 'retry', errorCode: 'provider-error', text };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
