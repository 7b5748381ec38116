/** A lane in which webhooks can be. */
export type WebhookLane = 'fast' | 'slow';

/**
 * Where turns are taken. Accounts and webhooks that are slow or fail take theirs in `slow`, with slots of its own. The turns
 * of linked WhatsApp devices, `whatsapp-web`, are taken by the process that holds their sockets.
 */
export type Lane = WebhookLane | 'whatsapp-web';

/** A turn wanted for a channel account or a webhook: now, or when `delayMs` have passed. */
export interface Wake {
  readonly id: string;
  readonly lane: Lane;
  readonly delayMs?: number;
}
