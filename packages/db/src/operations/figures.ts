import type { Lane } from '@notify/core';

/** What a process says about itself with each heartbeat. Rates are averages since the heartbeat before. */
export interface ProcessFigures {
  /** Turns of accounts (`dispatch`), webhooks and linked devices. */
  readonly turns: readonly TurnFigures[];
  /** Permits of calls, by what they are for. */
  readonly permits: readonly PermitFigures[];
  readonly perSecond: {
    /** Requests that the api answered. */
    readonly requests: number;
    /** Messages that the api accepted. */
    readonly accepted: number;
    /** Calls to providers that ended. */
    readonly calls: number;
    /** Messages that reached `sent`. */
    readonly sent: number;
    readonly delivered: number;
    readonly failed: number;
    /** Posts to webhooks that ended. */
    readonly posts: number;
  };
  readonly requestsOpen: number;
  readonly streamsOpen: number;
  /** The 99th percentile of the time that the event loop came late since the heartbeat before, in ms. */
  readonly eventLoopLagMs: number;
  /** Resident set size. */
  readonly memoryBytes: number;
  /** Partitions of linked devices that the process holds. */
  readonly devicePartitions: number;
  readonly pools: readonly PoolFigures[];
}

export interface TurnFigures {
  readonly kind: string;
  readonly lane: string;
  readonly running: number;
  /** The most turns that may run. */
  readonly slots: number;
}

export interface PermitFigures {
  readonly kind: string;
  readonly lane: string;
  /** `calls` or `media`. */
  readonly of: string;
  readonly limit: number;
  readonly inUse: number;
  /** Turns that wait for a permit. */
  readonly waiting: number;
}

/** Connections to Postgres. */
export interface PoolFigures {
  readonly pool: string;
  readonly limit: number;
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** Messages wait for accounts, deliveries for webhooks. */
export type BacklogKind = 'messages' | 'deliveries';

/** What one process sampled for all. A part is null as long as its query fails. */
export interface SampleFigures {
  /** ISO 8601, by the database's clock. */
  readonly takenAt: string;
  /** How long each query took, in ms; null if it failed. */
  readonly tookMs: Readonly<Record<string, number | null>>;
  readonly messages: BacklogFigures | null;
  readonly deliveries: BacklogFigures | null;
  /** Looks at groups, each to decide whether another route begins. */
  readonly groups: WaitingFigures | null;
  readonly accounts: readonly AccountCount[] | null;
  readonly webhooks: Readonly<Record<WebhookState, number>> | null;
  readonly receiptsWaiting: Count | null;
  /** Messages that are due in more than about a minute. They are not in `messages`. */
  readonly messagesScheduled: Count | null;
  /** Living processes, by name. A name whose processes have all died stays with 0 for an hour. */
  readonly processes: Readonly<Record<string, number>> | null;
  readonly migrationsPending: number | null;
  /** For how long the operator has held all sends, in ms; 0 when nothing is held. */
  readonly sendsHeldMs: number | null;
  readonly partitions: readonly PartitionFigures[] | null;
}

/** A number of rows. It is an estimate if more than 10,000 of its kind wait. */
export interface Count {
  readonly count: number;
  readonly isEstimate: boolean;
}

export interface WaitingFigures {
  /** Everything that waits: due or not, also of paused accounts and failing webhooks. */
  readonly waiting: Count;
  /**
   * What could go now. A lane without due items has a count of 0. While more than 10,000 items wait, counts are estimates, and
   * the oldest is that of the accounts (or webhooks) looked at: the oldest of the samples before, some at random, and 1,000
   * others in turn. So `oldestMs` is never too high, and too low for at most one sample for each 1,000 that wait.
   */
  readonly lanes: readonly LaneFigures[];
}

export interface BacklogFigures extends WaitingFigures {
  /** Those with the most waiting items, most first. */
  readonly busiest: { readonly subjects: readonly Busy[]; readonly tenants: readonly Busy[] };
  /** Those whose oldest due item has been due longest, longest first. */
  readonly slowest: { readonly subjects: readonly Slow[]; readonly tenants: readonly Slow[] };
}

export interface LaneFigures {
  readonly lane: Lane;
  readonly due: Count;
  /** How long the oldest due item could have gone, in ms; 0 if none is due. */
  readonly oldestMs: number;
}

/** An account, a webhook, or a tenant. */
export interface Busy {
  readonly id: string;
  readonly tenantId: string;
  readonly waiting: Count;
}

export interface Slow {
  readonly id: string;
  readonly tenantId: string;
  readonly oldestMs: number;
}

export interface AccountCount {
  readonly provider: string;
  readonly status: string;
  readonly count: number;
  /** Those of them that are paused or blocked. */
  readonly paused: number;
}

/** `failing` webhooks are active, and probed now and then. */
export type WebhookState = 'active' | 'failing' | 'disabled';

export interface PartitionFigures {
  readonly table: string;
  /** Until new rows would go to the default partition, in seconds. */
  readonly secondsAhead: number;
  /** Such rows are from a skewed clock, or from a time without partitions. They are never dropped. */
  readonly defaultHasRows: boolean;
}
