import type { MessageStatus } from './message.ts';

/**
 * The status of a group. `pending`: routes may still begin. `sent`: no further route begins, and the last one was handed to its
 * provider. `delivered`: one route was delivered. `failed`: no further route begins, and the last one failed.
 */
export const groupStatuses = ['pending', 'sent', 'delivered', 'failed'] as const;
export type GroupStatus = (typeof groupStatuses)[number];

export const groupEventNames = ['group.delivered', 'group.failed'] as const;
export type GroupEventName = (typeof groupEventNames)[number];

/** Why a route was left for the next one. */
export type LeftFor = 'failed' | 'time-over';

/** How long a route has before the next one begins, in seconds. */
export const advanceAfterSeconds = { least: 10, most: 86_400, usual: 60 } as const;
export const mostRoutes = 5;

/** The `errorCode` of a message that its tenant canceled. It ends its group. */
export const canceledCode = 'canceled';

/** The `errorCode` of a message that was not sent in time. */
export const expiredCode = 'expired';

/** The message of one route that has begun. */
export interface RouteMessage {
  readonly status: MessageStatus;
  readonly errorCode: string | null;
}

/** What is known of a group at one moment, under its lock and those of its messages. */
export interface GroupFacts {
  /** Whether it has ended: no further route begins. */
  readonly ended: boolean;
  /** Of the routes that have begun, in order. The last is the current one. At least one. */
  readonly messages: readonly RouteMessage[];
  /** Routes that have not begun. */
  readonly routesLeft: number;
  /** Whether the time of the current route is over. */
  readonly routeOver: boolean;
  /** Whether the lifetime of the whole group is over. */
  readonly groupOver: boolean;
  /** Whether a call of the current message is in progress: its lease has not ended. A receipt may have ended the message meanwhile. */
  readonly inCall: boolean;
  /** Whether the current message could be claimed, now or later. */
  readonly waits: boolean;
  /** Whether the provider of the current message ever reports a delivery. */
  readonly reports: boolean;
  /** Whether receipts of its messages are stored and not yet applied. */
  readonly unreadReceipts: boolean;
}

/** What becomes of a group. */
export interface GroupMove {
  readonly status: GroupStatus;
  readonly ended: boolean;
  /** More than one route was delivered. */
  readonly deliveredTwice: boolean;
  /**
   * What to do with the current message, which is to be sent no more. `cancel`: it is due no more, and fails if it was still queued.
   * `no-repeat`: its call is in progress, so it must not be called again.
   */
  readonly stop: 'cancel' | 'no-repeat' | null;
  /** Set if the next route begins. */
  readonly next: LeftFor | null;
  /**
   * When to look again, besides at every change of a message: at the end of the current route, at the end of the lease, or once the
   * receipts are applied. Null: never.
   */
  readonly lookAgain: 'route-end' | 'lease-end' | 'receipts' | null;
}

/** Whether nothing of a group is sent any more: no route begins, and nothing of it waits or is in a call. */
export function isOver({ ended, lookAgain }: Pick<GroupMove, 'ended' | 'lookAgain'>): boolean {
  return ended && lookAgain === null;
}

/**
 * Decides about a group. Pure. A route is left when it failed, or when its time is over and it is not delivered. The next one begins
 * only if nothing of the current one waits or is in a call, and nothing says that another was delivered.
 */
export function moveGroup(facts: GroupFacts): GroupMove {
  const current = facts.messages.at(-1)!;
  const delivered = facts.messages.filter(({ status }) => status === 'delivered').length;
  if (delivered > 0) return { ...end('delivered', facts), deliveredTwice: delivered > 1 };
  if (facts.ended) return end(endedStatus(current, facts), facts);
  switch (current.status) {
    case 'failed':
      if (current.errorCode === canceledCode) return end('failed', facts);
      return leave(current.errorCode === expiredCode ? 'time-over' : 'failed', facts);
    case 'sent':
      if (!facts.reports || facts.routesLeft === 0 || facts.groupOver) return end('sent', facts);
      return facts.routeOver ? leave('time-over', facts) : stay('route-end');
    case 'queued':
      if (!facts.routeOver && !facts.groupOver) return stay('route-end');
      return leave('time-over', facts);
    case 'delivered':
      throw new Error('a delivered route was counted above');
  }
}

const unchanged = { deliveredTwice: false, stop: null, next: null, lookAgain: null } as const;

function stay(lookAgain: GroupMove['lookAgain']): GroupMove {
  return { ...unchanged, status: 'pending', ended: false, lookAgain };
}

/** The current route is over. What is in a call is waited for. */
function leave(leftFor: LeftFor, facts: GroupFacts): GroupMove {
  if (facts.inCall) return stay('lease-end');
  if (facts.unreadReceipts) return stay('receipts');
  const stop = mayBeSent(facts) ? 'cancel' : null;
  if (facts.routesLeft === 0 || facts.groupOver) return { ...unchanged, status: 'failed', ended: true, stop };
  return { ...unchanged, status: 'pending', ended: false, stop, next: leftFor, lookAgain: 'route-end' };
}

/** No further route begins. What waits of the current one is canceled. */
function end(status: GroupStatus, facts: GroupFacts): GroupMove {
  const ended = { ...unchanged, status, ended: true };
  if (facts.inCall) return { ...ended, stop: 'no-repeat', lookAgain: 'lease-end' };
  return mayBeSent(facts) ? { ...ended, stop: 'cancel' } : ended;
}

/** Whether the current message is not at its end. A row that a crashed worker left is taken away, too. */
function mayBeSent({ messages, waits }: GroupFacts): boolean {
  return waits || messages.at(-1)!.status === 'queued';
}

/** The status of a group that ended earlier, of which nothing was delivered. */
function endedStatus({ status }: RouteMessage, { inCall }: GroupFacts): GroupStatus {
  if (status === 'queued') return inCall ? 'pending' : 'failed';
  return status;
}
