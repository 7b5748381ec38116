import type { Group, ListedGroup } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { GroupRow, ListedGroupRow } from '@notify/db/groups';
import Type from 'typebox';
import { found } from '../problems/found.ts';
import { shownLabels } from '../sending/labels.ts';
import { toDetails } from '../sending/message-details.ts';
import { shownBody } from '../sending/shown-body.ts';

/** Path parameters of the routes of one group. */
export const GroupParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no group id. */
export function readGroupId(text: string): string {
  return found(parseId('grp', text));
}

/** A group as the API shows it, in its current state. */
export function toShown(group: GroupRow): Group {
  const { routes, messages, verificationId } = group;
  return {
    ...toListed(group),
    verificationId: verificationId === null ? null : formatId('ver', verificationId),
    routes: routes.map((route, at) => ({ ...toRoute(group, at), body: shownBody(route.body) })),
    messages: messages.map(toDetails),
  };
}

/** A group as lists show it: without contents. */
export function toListed(group: ListedGroupRow): ListedGroup {
  const { routes, message_ids: begun, ended_at: endedAt } = group;
  const hasNext = endedAt === null && begun.length < routes.length && group.route_ends_at < group.expires_at;
  return {
    id: formatId('grp', group.id),
    status: group.status,
    deliveredTwice: group.delivered_twice,
    routes: routes.map((_, at) => toRoute(group, at)),
    ...shownLabels(group),
    advanceAfterSeconds: group.advance_after,
    nextRouteAt: hasNext ? group.route_ends_at.toISOString() : null,
    createdAt: group.created_at.toISOString(),
    scheduledAt: group.scheduled_at?.toISOString() ?? null,
    expiresAt: group.expires_at.toISOString(),
    updatedAt: group.updated_at.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function toRoute(
  { routes, message_ids: begun, left_for: leftFor }: ListedGroupRow,
  at: number,
): ListedGroup['routes'][number] {
  const { channel, to, type, accountId } = routes[at]!;
  const messageId = begun[at];
  return {
    channel,
    to,
    type,
    channelAccountId: accountId,
    messageId: messageId === undefined ? null : formatId('msg', messageId),
    leftFor: leftFor[at] ?? null,
  };
}
