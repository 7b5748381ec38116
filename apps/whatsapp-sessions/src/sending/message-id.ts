import { hash } from 'node:crypto';

/**
 * The id of a message on the wire, in the format of WhatsApp's own ids. It depends only on the message, so the
 * recipient sees a repeat as the same message.
 */
export function wireId(messageId: string): string {
  return `3EB0${hash('sha256', messageId, 'hex').slice(0, 18).toUpperCase()}`;
}
