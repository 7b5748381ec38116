import type { Group, GroupRoute } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { GroupRow } from '@notify/db/groups';
import Type from 'typebox';
import { found } from '../http/found.ts';
import { toDetails } from '../notify/message-details.ts';
import { shownBody } from '../notify/shown-body.ts';

/** Path parameters of the routes of one group. */
export const GroupParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no group id. */
export function readGroupId(text: string): string {
  return found(parseId('grp', text));
}

/** A group as the API shows it, in its current state. */
export function toShown(group: GroupRow): Group {
  const { routes, message_ids: begun, ended_at: endedAt } = group;
  const hasNext = endedAt === null && begun.length < routes.length && group.route_ends_at < group.expires_at;
  return {
    id: formatId('grp', group.id),
    status: group.status,
    deliveredTwice: group.delivered_twice,
    routes: routes.map((_, at) => toRoute(group, at)),
    messages: group.messages.map(toDetails),
    advanceAfterSeconds: group.advance_after,
    nextRouteAt: hasNext ? group.route_ends_at.toISOString() : null,
    createdAt: group.created_at.toISOString(),
    scheduledAt: group.scheduled_at?.toISOString() ?? null,
    expiresAt: group.expires_at.toISOString(),
    updatedAt: group.updated_at.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function toRoute({ routes, message_ids: begun, left_for: leftFor }: GroupRow, at: number): GroupRoute {
  const { channel, to, type, body, accountId } = routes[at]!;
  const messageId = begun[at];
  return {
    channel,
    to,
    type,
    body: shownBody(body),
    channelAccountId: accountId,
    messageId: messageId === undefined ? null : formatId('msg', messageId),
    leftFor: leftFor[at] ?? null,
  };
}
