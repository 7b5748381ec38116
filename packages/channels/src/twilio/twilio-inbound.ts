import type { ConsentStatus, ContactProfile, MediaType } from '@notify/core';
import type { Inbound } from '../adapter/inbound.ts';
import { isDegree } from '../reading/degrees.ts';
import type { Pairs } from '../reading/form.ts';
import { phoneAddress } from '../reading/phone-address.ts';
import { mediaPathOf } from './open-file.ts';

/** Twilio hands on at most ten files of one message (twilio.com/docs/messaging/api/media-resource). */
const maxFiles = 10;

/**
 * Reads an incoming message (twilio.com/docs/messaging/guides/webhook-request). Each file is a message of its own: the
 * first one has the text, and the ids of the others end in `/1`, `/2` and so on. Null if the callback names no message or
 * nobody who wrote it.
 */
export function readInbound(fields: Pairs): readonly Inbound[] | null {
  const id = fields.get('MessageSid') ?? fields.get('SmsMessageSid') ?? '';
  const from = addressOf(fields.get('From'));
  if (id === '' || from === null) return null;
  const consent = consents.get(fields.get('OptOutType')?.toUpperCase() ?? '');
  const shared = {
    from,
    to: addressOf(fields.get('To')),
    /** Twilio tells no time; it calls at once. */
    sentAt: null,
    contact: contactOf(fields),
    replyTo: textOf(fields, 'OriginalRepliedMessageSid'),
  };
  return contentsOf(fields).map((content, index) => ({
    externalId: index === 0 ? id : `${id}/${index}`,
    ...shared,
    ...content,
    ...(consent === undefined || index > 0 ? {} : { consent }),
  }));
}

/**
 * What Twilio itself made of the words, with Advanced Opt-Out
 * (twilio.com/docs/messaging/tutorials/advanced-opt-out). HELP changes nothing.
 */
const consents: ReadonlyMap<string, ConsentStatus> = new Map([
  ['STOP', 'opted-out'],
  ['START', 'opted-in'],
]);

/** A number, after the channel unless that is SMS (`whatsapp:+49…`). */
function addressOf(written: string | null): string | null {
  const address = phoneAddress((written ?? '').replace(/^[a-z]{1,20}:/, ''));
  return address === '' ? null : address;
}

type Content = Pick<Inbound, 'type' | 'body' | 'file'>;

function contentsOf(fields: Pairs): readonly Content[] {
  const files = filesOf(fields);
  if (files.length > 0) return files;
  const text = fields.get('Body') ?? '';
  const [button, payload] = [textOf(fields, 'ButtonText'), textOf(fields, 'ButtonPayload')];
  if (button !== null || payload !== null)
    return [{ type: 'button', body: { text: button ?? text, payload }, file: null }];
  return [locationOf(fields) ?? { type: 'text', body: { text }, file: null }];
}

function filesOf(fields: Pairs): readonly Content[] {
  const told = Number(fields.get('NumMedia') ?? 0);
  const count = Number.isInteger(told) ? Math.min(Math.max(told, 0), maxFiles) : 0;
  return Array.from({ length: count }, (_, index) => {
    const mimeType = textOf(fields, `MediaContentType${index}`);
    const type = mediaTypeOf(mimeType);
    const caption = index === 0 ? textOf(fields, 'Body') : null;
    const path = mediaPathOf(fields.get(`MediaUrl${index}`));
    return {
      type,
      body: { type, caption, filename: null, mimeType, bytes: null },
      file: path === null ? null : { path },
    };
  });
}

/** A place, which only WhatsApp sends. */
function locationOf(fields: Pairs): Content | null {
  const [latitude, longitude] = [degree(fields, 'Latitude', 90), degree(fields, 'Longitude', 180)];
  if (latitude === null || longitude === null) return null;
  const [name, address] = [textOf(fields, 'Label'), textOf(fields, 'Address')];
  return { type: 'location', body: { latitude, longitude, name, address }, file: null };
}

function degree(fields: Pairs, name: string, most: 90 | 180): number | null {
  const written = fields.get(name) ?? '';
  const value = Number(written);
  return /^-?\d{1,3}(?:\.\d{1,20})?$/.test(written) && isDegree(value, most) ? value : null;
}

function contactOf(fields: Pairs): ContactProfile | null {
  const name = textOf(fields, 'ProfileName');
  return name === null ? null : { name };
}

function textOf(fields: Pairs, name: string): string | null {
  const text = fields.get(name);
  return text === '' ? null : text;
}

/** The kind of message that a file of this MIME type makes. Any file but an image, a video or audio is a document. */
function mediaTypeOf(mimeType: string | null): MediaType {
  const [main = ''] = (mimeType ?? '').toLowerCase().split('/', 1);
  return main === 'image' || main === 'video' || main === 'audio' ? main : 'document';
}
