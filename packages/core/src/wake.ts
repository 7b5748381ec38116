/** The lanes of webhooks. */
export type WebhookLane = 'fast' | 'slow';

/**
 * The lane of a turn. Accounts and webhooks that are slow or fail use `slow`, which has its own slots. Linked WhatsApp
 * devices use `whatsapp-web`: the process that holds their sockets takes their turns.
 */
export type Lane = WebhookLane | 'whatsapp-web';

/** A requested turn of a channel account, a webhook or the groups of a tenant: now, or after `delayMs`. */
export interface Wake {
  readonly id: string;
  readonly lane: Lane;
  readonly delayMs?: number;
  /** Whether turns with other wakes go first, because this one continues a backlog. */
  readonly afterOthers?: boolean;
}

/** When a channel account or a webhook is due next, and in which lane. */
export interface NextTurn extends Wake {
  /** Zero when something is due now. */
  readonly delayMs: number;
}
