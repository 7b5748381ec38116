import type { Channel, GroupEventName, GroupStatus, LeftFor, MessageBody, MessageType } from '@notify/core';
import type { ColumnType, Generated } from 'kysely';
import type { Time, TimeOrNull } from './column-types.ts';

/** One route of a group, as it is stored. */
export interface StoredRoute {
  readonly channel: Channel;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  readonly accountId: string;
}

export interface GroupTables {
  /** Messages of several routes, one after the other: see `groups/`. */
  message_groups: {
    id: string;
    tenant_id: string;
    routes: ColumnType<readonly StoredRoute[], string, never>;
    /** The messages of the routes that have begun, in order. The last is the current one. */
    message_ids: string[];
    /** Why each route before the current one was left. */
    left_for: Generated<LeftFor[]>;
    status: Generated<GroupStatus>;
    delivered_twice: Generated<boolean>;
    /** The events so far, in order. The length is the last `sequence`. */
    told: Generated<GroupEventName[]>;
    /** Whether it tells no events of itself. */
    quiet: Generated<boolean>;
    /** In seconds. */
    advance_after: number;
    /** When the time of the current route is over: its message expires then. */
    route_ends_at: Time;
    expires_at: Time;
    scheduled_at: TimeOrNull;
    /** The sender's W3C `traceparent`, where it gave one. */
    traceparent: string | null;
    /** Its messages have the same. */
    metadata: ColumnType<Readonly<Record<string, string>> | null, string | null, never>;
    tags: string[] | null;
    created_at: Time;
    /** Never goes back: the ids of events take their time from it (`messages/insert-events.ts`). */
    updated_at: Time;
    /** Since when no further route begins. */
    ended_at: TimeOrNull;
  };
  /** When to look at groups. Rows are only added and removed, never changed. */
  group_due: { id: Generated<string>; group_id: string; tenant_id: string; due_at: Time };
}
