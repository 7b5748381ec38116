/** What the installation must know of a process that runs for long. */
interface ProcessFacts {
  /** Where it serves its health checks and metrics unless HEALTH_PORT is set. */
  readonly healthPort: number;
  /** The lane of the accounts whose connections it holds, if it holds any. The lane is named as their provider. */
  readonly ownedLane: string | null;
}

/**
 * The processes that run for long, in the order of their health ports. What else lists them is derived from this table or
 * checked against it (tools/ops/processes.test.ts).
 */
const table = {
  'dispatch-worker': { healthPort: 3001, ownedLane: null },
  'webhook-worker': { healthPort: 3002, ownedLane: null },
  'whatsapp-sessions': { healthPort: 3003, ownedLane: 'whatsapp-web' },
  api: { healthPort: 3004, ownedLane: null },
} as const satisfies Readonly<Record<string, ProcessFacts>>;

export type ProcessName = keyof typeof table;
export const processNames = Object.keys(table) as readonly ProcessName[];

/** Where each serves its health checks and metrics unless HEALTH_PORT is set. */
export const healthPorts = Object.fromEntries(
  processNames.map((name) => [name, table[name].healthPort]),
) as Readonly<Record<ProcessName, number>>;

/**
 * The lane of accounts that one process connects. Only the process that holds the account's partition takes their turns
 * (packages/ownership).
 */
export type OwnedLane = NonNullable<(typeof table)[ProcessName]['ownedLane']>;

/** The process that holds the connections of each owned lane. */
export const ownedLanes = Object.fromEntries(
  processNames.flatMap((name) => (table[name].ownedLane === null ? [] : [[table[name].ownedLane, name]])),
) as Readonly<Record<OwnedLane, ProcessName>>;

/** The default number of partitions of an owned lane. They move between its processes. */
export const usualOwnedPartitions = 16;
