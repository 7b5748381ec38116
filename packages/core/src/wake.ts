import { ownedLanes, type OwnedLane } from './processes.ts';

/** The lanes of webhooks. */
export type WebhookLane = 'fast' | 'slow';

/**
 * The lane of a turn. Accounts and webhooks that are slow or fail use `slow`, which has its own slots. Accounts with a
 * connection of their own stay in the lane of their provider: the process that holds the connection takes their turns.
 */
export type Lane = WebhookLane | OwnedLane;

/** The lanes of channel accounts. */
export const accountLanes: readonly Lane[] = ['fast', 'slow', ...(Object.keys(ownedLanes) as OwnedLane[])];

/** Whether only the process that holds the account's connection takes the turns of this lane. */
export function isOwnedLane(lane: Lane): lane is OwnedLane {
  return lane !== 'fast' && lane !== 'slow';
}

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
