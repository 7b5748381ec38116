import { hash } from 'node:crypto';
import type { ContactProfile } from '@notify/core';
import type { Inbound, MovedContact } from '../adapter/inbound.ts';
import { phoneAddress } from '../reading/phone-address.ts';
import { textAt } from '../reading/pointer.ts';
import { providerTime } from '../reading/provider-time.ts';
import { listIn } from '../reading/untrusted.ts';
import { contentOf } from './inbound-body.ts';

/** What the messages of one value tell. */
export interface ReadMessages {
  readonly inbound: readonly Inbound[];
  readonly moved: readonly MovedContact[];
}

/**
 * Reads the messages of a value of the field `messages`
 * (developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages). A person with a new
 * number has `moved`; such a message says nothing else. A message that names number and id of its writer tells that pair, too: it
 * may be the last one before the person hides the number.
 */
export function readMessages(value: unknown): ReadMessages {
  const profiles = profilesIn(value);
  const account = textAt(value, '/metadata/phone_number_id');
  const number = wordAt(value, '/metadata/display_phone_number');
  const of = account === null ? {} : { account };
  const to = number === null ? null : phoneAddress(number);
  const inbound: Inbound[] = [];
  const moved: MovedContact[] = [];
  for (const message of listIn(value, 'messages')) {
    const move = moveIn(message);
    const read = move === null ? toInbound(message, profiles) : null;
    const pair = move === null ? pairIn(message) : null;
    if (move !== null) moved.push({ ...move, ...of });
    if (pair !== null) moved.push({ ...pair, ...of });
    if (read !== null) inbound.push({ ...read, ...of, to });
  }
  return { inbound, moved };
}

/** Null if Meta does not name the person, so nobody could be answered. */
function toInbound(message: unknown, profiles: Profiles): Omit<Inbound, 'to' | 'account'> | null {
  const from = writerOf(message);
  if (from === null) return null;
  const content = contentOf(message);
  return {
    externalId: wordAt(message, '/id') ?? digestOf(message),
    from,
    sentAt: providerTime(textAt(message, '/timestamp')),
    contact: profiles.get(from) ?? null,
    ...content,
    replyTo: content.replyTo ?? wordAt(message, '/context/id'),
  };
}

/**
 * The number of the person. Meta leaves it out for people with a username, and sends an id that only this business may
 * use (developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids).
 */
function writerOf(message: unknown): string | null {
  const number = wordAt(message, '/from');
  return number === null ? wordAt(message, '/from_user_id') : phoneAddress(number);
}

const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;
const phoneNumber = /^\+[1-9]\d{6,14}$/;

/** The id and the number of the person, if Meta tells both. */
function pairIn(message: unknown): MovedContact | null {
  const [number, from] = [wordAt(message, '/from'), wordAt(message, '/from_user_id')];
  const to = number === null ? '' : phoneAddress(number);
  return from !== null && userId.test(from) && phoneNumber.test(to) ? { from, to, told: true } : null;
}

/** A text that is not empty. */
function wordAt(document: unknown, pointer: string): string | null {
  const text = textAt(document, pointer)?.trim() ?? '';
  return text === '' ? null : text;
}

/** A stand-in for an id that is missing. It is the same whenever the message is delivered again. */
function digestOf(message: unknown): string {
  return `sha256:${hash('sha256', JSON.stringify(message))}`;
}

type Profiles = ReadonlyMap<string, ContactProfile>;

/** What Meta knows of the people, by number and by id. */
function profilesIn(value: unknown): Profiles {
  const profiles = new Map<string, ContactProfile>();
  for (const contact of listIn(value, 'contacts')) {
    const name = textAt(contact, '/profile/name');
    const username = textAt(contact, '/profile/username');
    const profile = { ...(name === null ? {} : { name }), ...(username === null ? {} : { username }) };
    if (Object.keys(profile).length === 0) continue;
    const [number, id] = [textAt(contact, '/wa_id'), textAt(contact, '/user_id')];
    if (number !== null) profiles.set(phoneAddress(number), profile);
    if (id !== null) profiles.set(id, profile);
  }
  return profiles;
}

const moves: ReadonlySet<string | null> = new Set(['user_changed_number', 'customer_changed_number']);

/** The new address of a person who changed number; null for any other message. */
function moveIn(message: unknown): MovedContact | null {
  if (textAt(message, '/type') !== 'system' || !moves.has(textAt(message, '/system/type'))) return null;
  const from = writerOf(message);
  const to = wordAt(message, '/system/wa_id') ?? wordAt(message, '/system/new_wa_id');
  return from === null || to === null ? null : { from, to: phoneAddress(to) };
}
