import { groupEventNames } from '../messages/group.ts';
import { eventNames, type MediaType } from '../messages/message.ts';

/** The kinds of message that a person can write to an account. `unsupported`: any that we do not read further. */
export const inboundTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'location',
  'contact',
  'reaction',
  'button',
  'unsupported',
] as const;
export type InboundType = (typeof inboundTypes)[number];

/** A file that a person sent. Its bytes stay with the provider until somebody asks for them. */
export interface InboundMediaBody {
  readonly type: MediaType;
  readonly caption: string | null;
  readonly filename: string | null;
  /** As the provider says; null when it does not. */
  readonly mimeType: string | null;
  readonly bytes: number | null;
}

/** A person whose card was sent. */
export interface ContactCard {
  readonly name: string | null;
  readonly phones: string[];
}

/** The content of an inbound message, as the interface shows it. */
export type InboundBody =
  | { readonly text: string }
  | InboundMediaBody
  | {
      readonly latitude: number;
      readonly longitude: number;
      readonly name: string | null;
      readonly address: string | null;
    }
  | { readonly contacts: ContactCard[] }
  /** `emoji` is null when the person took the reaction back. */
  | { readonly emoji: string | null }
  /** A pressed button: the words on it, and what the sender of the button tied to it. */
  | { readonly text: string; readonly payload: string | null }
  /** `kind` names it in the provider's own word, such as `poll` or `edited`. */
  | { readonly kind: string };

/** What is known of the person who wrote. */
export interface ContactProfile {
  readonly name?: string;
  readonly username?: string;
}

/** Whether a recipient wants messages from an account. */
export type ConsentStatus = 'opted-out' | 'opted-in';

/** Events that only webhooks which name them receive. */
export const inboundEventNames = [
  'message.received',
  'contact.paired',
  'contact.opted-out',
  'contact.opted-in',
] as const;
export type InboundEventName = (typeof inboundEventNames)[number];

/** Events about verifications. Only webhooks that name them receive them. */
export const verificationEventNames = ['verification.held'] as const;
export type VerificationEventName = (typeof verificationEventNames)[number];

/** Every event that a webhook can name. */
export const subscribableEvents = [
  ...eventNames,
  ...inboundEventNames,
  ...groupEventNames,
  ...verificationEventNames,
] as const;
export type SubscribableEvent = (typeof subscribableEvents)[number];
