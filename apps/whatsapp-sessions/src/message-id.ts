import { hash } from 'node:crypto';

/**
 * The id under which a message of ours goes over the wire, of the shape of WhatsApp's own. It is always the same for the
 * same message, so a repeat is the same message to its recipient.
 */
export function wireId(messageId: string): string {
  return `3EB0${hash('sha256', messageId, 'hex').slice(0, 18).toUpperCase()}`;
}
