import type { GroupStatus, LeftFor, MessageStatus, UnknownPolicy } from '@notify/core';
import type { Finding, Verdict } from './finding.ts';
import { routeMs } from '../load/grouping.ts';

/**
 * One route of a group that has begun. Times by the database's clock, in ms. All but `storedAt` are when a transaction began, which may
 * then have waited for a lock.
 */
export interface RouteRecord {
  readonly messageId: string;
  readonly status: MessageStatus;
  readonly createdAt: number;
  /** When the statement ran that stored it, after all locks that it waited for: the time in its id. */
  readonly storedAt: number;
  readonly failedAt: number | null;
  readonly deliveredAt: number | null;
  /** When each of its calls began. */
  readonly calledAt: readonly number[];
  readonly possibleDuplicate: boolean;
  /** How often its provider took it. */
  readonly taken: number;
}

/** One fallback group, as client, database and providers know it. */
export interface GroupRecord {
  readonly key: string;
  readonly policy: UnknownPolicy;
  readonly ids: readonly string[];
  readonly wrong: readonly string[];
  /** The groups that its client's key made. */
  readonly rows: readonly {
    readonly id: string;
    readonly status: GroupStatus;
    readonly ended: boolean;
    readonly leftFor: readonly LeftFor[];
    readonly routes: readonly RouteRecord[];
  }[];
}

type Row = GroupRecord['rows'][number];

/**
 * A group exists once and ends. At most one route is on its way: none is called after the next has begun, and none begins before the one
 * before it has failed or its time is over, nor after that one was delivered.
 */
export function auditGroups(records: readonly GroupRecord[]): Finding[] {
  return records.flatMap((record) =>
    [...violations(record)].map(([verdict, detail]) => ({ verdict, key: record.key, detail })),
  );
}

function* violations({ policy, ids, wrong, rows }: GroupRecord): Generator<readonly [Verdict, string]> {
  for (const answer of wrong) yield ['wrong', answer];
  if (ids.length > 1) yield ['wrong', `answered with ${ids.length} ids: ${ids.join(', ')}`];
  if (rows.length > 1) yield ['duplicated', `${rows.length} groups of one request`];
  for (const id of ids)
    if (!rows.some((row) => row.id === id)) yield ['lost', `${id} was accepted and does not exist`];
  for (const row of rows) {
    if (!row.ended) yield ['stuck', `${row.id} has not ended`];
    if (row.status !== 'failed' && row.routes.every(({ taken }) => taken === 0))
      yield ['lost', `${row.id} is ${row.status}, and no provider has anything of it`];
    for (const route of row.routes) yield* copies(policy, route);
    for (const [at, route] of row.routes.entries()) {
      const next = row.routes[at + 1];
      if (next !== undefined) yield* overlaps(row, at, route, next);
    }
  }
}

function* copies(
  policy: UnknownPolicy,
  { messageId, taken, possibleDuplicate }: RouteRecord,
): Generator<readonly [Verdict, string]> {
  const may = policy === 'at-least-once' && possibleDuplicate ? 2 : 1;
  if (taken > may) yield ['duplicated', `${messageId} was sent ${taken} times (${policy})`];
}

function* overlaps(
  { leftFor }: Row,
  at: number,
  route: RouteRecord,
  next: RouteRecord,
): Generator<readonly [Verdict, string]> {
  const who = `route ${at + 1} (${route.messageId})`;
  if (route.calledAt.some((time) => time > next.storedAt))
    yield ['duplicated', `${who} was called after the next route had begun`];
  if (route.deliveredAt !== null && route.deliveredAt < next.createdAt)
    yield ['duplicated', `${who} was delivered before the next route began`];
  const isTimeOver = next.createdAt - route.createdAt >= routeMs;
  const hasFailed = route.failedAt === null ? leftFor[at] === 'failed' : route.failedAt <= next.storedAt;
  if (!isTimeOver && !hasFailed) yield ['wrong', `${who} was left before it failed or its time was over`];
}
