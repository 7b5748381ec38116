import { Anchor, Skeleton, Text } from '@mantine/core';
import type { Group } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { channelName } from '../../../parts/channel-name.ts';
import { ChannelIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Section } from '../../../parts/section.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { DueTime, Time } from '../../../parts/time/time.tsx';
import { GroupStatus } from '../../groups/group-status.tsx';
import { useGroup } from '../../groups/use-group.ts';
import { routeLineOf } from './group-words.ts';
import classes from '../messages.module.css';

/** The group of a message: all its routes in order, what became of each, and why the next one began. */
export function GroupStory({
  id,
  messageId,
}: {
  readonly id: string;
  readonly messageId: string;
}): ReactNode {
  return (
    <Loaded
      query={useGroup(id)}
      what="the group"
      notFound="group"
      skeleton={<Skeleton height={120} radius="lg" />}
    >
      {(found) => <Story group={found} messageId={messageId} />}
    </Loaded>
  );
}

function Story({ group, messageId }: { readonly group: Group; readonly messageId: string }): ReactNode {
  const about =
    group.nextRouteAt === null ? (
      aboutRoutes(group)
    ) : (
      <>
        Next route: <DueTime at={group.nextRouteAt} />, unless this one delivers.
      </>
    );
  return (
    <Section title="Routes" about={about} actions={<GroupStatus status={group.status} />}>
      <RouteList group={group} messageId={messageId} />
      {group.deliveredTwice && (
        <Text size="sm" mt="sm">
          More than one of its messages was delivered: one arrived after the next route had begun.
        </Text>
      )}
      <Anchor component={Link} to={wholeOf(group)} size="sm" mt="sm" display="inline-block">
        {group.verificationId === null ? 'View group' : 'View verification'}
      </Anchor>
    </Section>
  );
}

function aboutRoutes({ routes }: Group): string {
  if (routes.length === 1) return 'This message is the only route to the recipient.';
  return `This message is one of ${routes.length} routes to the recipient.`;
}

function Route({
  group,
  at,
  messageId,
}: {
  readonly group: Group;
  readonly at: number;
  readonly messageId: string | null;
}): ReactNode {
  const route = group.routes[at]!;
  const { tone, what, more } = routeLineOf(group, at);
  const message = group.messages.find((one) => one.messageId === route.messageId);
  const isThis = messageId !== null && route.messageId === messageId;
  return (
    <li className={classes.route} {...(isThis ? { 'aria-current': 'true' } : {})}>
      <ChannelIcon channel={route.channel} size={16} />
      <div>
        <Text size="sm" fw={550}>
          {channelName(route.channel)} to {route.to}
          {isThis && ' (this message)'}
        </Text>
        {more !== null && (
          <Text size="xs" c="dimmed">
            {more}
          </Text>
        )}
        {message !== undefined && (
          <Text size="xs" c="dimmed">
            Began <Time at={message.createdAt} />
          </Text>
        )}
        {message !== undefined && !isThis && (
          <Anchor component={Link} to={`/messages/${message.messageId}`} size="xs">
            View message
          </Anchor>
        )}
      </div>
      <StatusBadge tone={tone}>{what}</StatusBadge>
    </li>
  );
}

/** The page of all that belongs to the group. */
function wholeOf({ id, verificationId }: Group): string {
  return verificationId === null ? `/groups/${id}` : `/verifications/${verificationId}`;
}

/** The routes of a group in order, what became of each, and links to the messages of the others. */
export function RouteList({
  group,
  messageId,
}: {
  readonly group: Group;
  /** The message on whose page they are shown. Null: on that of none. */
  readonly messageId: string | null;
}): ReactNode {
  return (
    <ol className={classes.routes} aria-label="Routes">
      {group.routes.map((_, at) => (
        <Route key={at} group={group} at={at} messageId={messageId} />
      ))}
    </ol>
  );
}
