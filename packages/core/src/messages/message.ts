import type { TemplateBody } from '../templates/template.ts';
import type { InteractiveBody } from './interactive.ts';
import type { ReceiptStatus } from './outcome.ts';
import type { TelegramOptions } from './telegram-options.ts';

export const channels = ['whatsapp', 'telegram', 'sms'] as const;
export type Channel = (typeof channels)[number];

export const messageTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'template',
  'interactive',
] as const;
export type MessageType = (typeof messageTypes)[number];
export type MediaType = Exclude<MessageType, 'text' | 'template' | 'interactive'>;

export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'failed';

/** The content as the interface shows it: `{text}`, a media body, a template with what fills it, or buttons or a list. */
export type MessageBody =
  | { readonly text: string; readonly telegram?: TelegramOptions }
  | TemplateBody
  | InteractiveBody
  | {
      readonly type: MediaType;
      /** The address of the file; `noUrl` if it was uploaded. */
      readonly url: string;
      /** The id of the uploaded file, without prefix. */
      readonly fileId?: string;
      readonly caption: string | null;
      readonly filename?: string;
      readonly telegram?: TelegramOptions;
    };

/** The most characters of a text and of a caption, in code points. `formattedLimits` are those of Telegram with `format`. */
export const textLimits = { text: 4_096, caption: 1_024 } as const;

/**
 * The address in the place of one that an uploaded file does not have. No name below `invalid` resolves (RFC 6761, 6.4), so a worker that
 * is too old to know `fileId` tries again until a newer one takes the message.
 */
export const noUrl = 'https://uploaded.invalid/';

/** The id of the uploaded file that a message sends. Null if it sends none. */
export function uploadOf(body: MessageBody): string | null {
  return ('type' in body ? body.fileId : undefined) ?? null;
}

export const eventKinds = ['queued', 'sent', 'delivered', 'read', 'failed'] as const;
export type EventKind = (typeof eventKinds)[number];
export type EventName = `message.${EventKind}`;
export const eventNames: readonly EventName[] = eventKinds.map((kind) => `message.${kind}` as const);

/**
 * The changing part of a message. `emitted` holds the kinds emitted so far, in order; its length is the last
 * `sequence`.
 */
export interface MessageState {
  readonly status: MessageStatus;
  readonly errorCode: string | null;
  readonly read: boolean;
  /** The total of parts for the provider (1 unless the adapter splits). */
  readonly parts: number;
  readonly deliveredParts: readonly number[];
  readonly emitted: readonly EventKind[];
}

/**
 * A status change of a message, from a settled attempt, a receipt, or the clock. With `part` it concerns only one of
 * several parts, whether or not their number is known yet.
 */
export type Change =
  | { readonly kind: Exclude<ReceiptStatus, 'failed'>; readonly part?: number }
  | { readonly kind: 'failed'; readonly errorCode: string };

/** `events` are the kinds to emit now, in order, each for the first time in the message's life. */
export interface Advance {
  readonly state: MessageState;
  readonly changed: boolean;
  readonly events: readonly EventKind[];
}

const rank: Record<MessageStatus, number> = { queued: 0, sent: 1, failed: 2, delivered: 3 };

/**
 * Applies a status change. Status only moves forward, so late, repeated and reordered receipts are harmless.
 * `delivered` wins over `failed`. `sent` wins only over a failure whose outcome was unknown. A skipped step is implied
 * and emitted too, so that a reader sees sent before delivered before read.
 */
export function advance(state: MessageState, change: Change): Advance {
  if (change.kind === 'failed') return fail(state, change.errorCode);
  if (change.part !== undefined) return advancePart(state, change.kind, change.part);
  switch (change.kind) {
    case 'sent':
      return moveTo(state, 'sent');
    case 'delivered':
      return moveTo(state, 'delivered');
    case 'read':
      return read(state);
  }
}

function moveTo(state: MessageState, status: 'sent' | 'delivered'): Advance {
  const corrects = state.status === 'failed' && state.errorCode === 'outcome-unknown';
  if (rank[status] <= rank[state.status] && !(corrects && status === 'sent')) return unchanged(state);
  const kinds: EventKind[] = status === 'sent' ? ['sent'] : ['sent', 'delivered'];
  return emit({ ...state, status, errorCode: null }, kinds);
}

/** A sent part says nothing about the others. The message is delivered when all its parts are. */
function advancePart(state: MessageState, kind: 'sent' | 'delivered' | 'read', part: number): Advance {
  if (kind === 'sent' || state.deliveredParts.includes(part)) return unchanged(state);
  const deliveredParts = [...state.deliveredParts, part].sort((a, b) => a - b);
  const next = { ...state, deliveredParts };
  const isAll = state.parts > 1 && deliveredParts.length >= state.parts;
  return isAll ? moveTo(next, 'delivered') : { state: next, changed: true, events: [] };
}

function read(state: MessageState): Advance {
  if (state.read) return unchanged(state);
  return emit({ ...state, status: 'delivered', errorCode: null, read: true }, ['sent', 'delivered', 'read']);
}

function fail(state: MessageState, errorCode: string): Advance {
  if (rank.failed <= rank[state.status]) return unchanged(state);
  return emit({ ...state, status: 'failed', errorCode }, ['failed']);
}

function emit(state: MessageState, kinds: readonly EventKind[]): Advance {
  const events = kinds.filter((kind) => !state.emitted.includes(kind));
  return { state: { ...state, emitted: [...state.emitted, ...events] }, changed: true, events };
}

function unchanged(state: MessageState): Advance {
  return { state, changed: false, events: [] };
}
