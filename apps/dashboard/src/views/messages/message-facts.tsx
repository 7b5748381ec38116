import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MessageHistory } from '../../api/schema.ts';
import { channelName } from '../../parts/channel-name.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ChannelIcon } from '../../parts/icons.tsx';
import { MessageStatus } from '../../parts/status-badge.tsx';
import { DueTime, Time } from '../../parts/time.tsx';
import { Standing } from './standing.tsx';

/** The facts about a message besides its timeline. */
export function MessageFacts({ message }: { readonly message: MessageHistory }): ReactNode {
  const { status, readAt, provider, createdAt, scheduledAt, expiresAt, nextAttemptAt, segments, attempts } =
    message;
  const isInbound = message.direction === 'inbound';
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Status',
      <Stack key="status" gap={6}>
        <MessageStatus status={isInbound ? 'received' : status} readAt={readAt} />
        <Standing standing={message.standing} />
      </Stack>,
    ],
    ...(isInbound ? senderFacts(message) : []),
    [
      'Channel',
      <Group key="channel" gap={6}>
        <ChannelIcon channel={provider} size={16} />
        {channelName(provider)}
      </Group>,
    ],
    ['Account', <Account key="account" message={message} />],
    isInbound
      ? ['Received', <Time key="received" at={message.receivedAt} />]
      : ['Accepted', <Time key="accepted" at={createdAt} />],
  ];
  if (scheduledAt !== null) facts.push(['Scheduled for', <Time key="scheduled" at={scheduledAt} />]);
  if (message.urgent) facts.push(['Urgent', 'Yes: quiet hours do not hold it up']);
  if (isInbound && message.sentAt !== null)
    facts.push(['Written', <Time key="written" at={message.sentAt} />]);
  if (message.replyTo !== null)
    facts.push([
      'In reply to',
      <Anchor key="reply" component={Link} to={`/messages/${message.replyTo}`} inherit>
        View message
      </Anchor>,
    ]);
  if (status === 'queued' && nextAttemptAt !== null)
    facts.push(['Next attempt', <DueTime key="next" at={nextAttemptAt} />]);
  if (status === 'queued') facts.push(['Expires', <Time key="expires" at={expiresAt} since />]);
  if (attempts > 0) facts.push(['Attempts', attempts]);
  if (segments !== null) facts.push(['SMS segments', segments]);
  facts.push(['ID', <Id key="id" id={message.messageId} what="Copy the message ID" />]);
  if (message.externalId !== null)
    facts.push(['Provider ID', <Id key="external" id={message.externalId} what="Copy the provider ID" />]);
  return <Facts facts={facts} />;
}

/** Who wrote it, and to which address. */
function senderFacts({ from, to, contact }: MessageHistory): (readonly [string, ReactNode])[] {
  return [
    ['From', from ?? 'Unknown'],
    ...(contact?.name === undefined ? [] : [['Name', contact.name] as const]),
    ...(contact?.username === undefined ? [] : [['Username', `@${contact.username}`] as const]),
    ...(to === '' ? [] : [['To', to] as const]),
  ];
}

function Account({
  message: { channelAccountId, accountName },
}: {
  readonly message: MessageHistory;
}): ReactNode {
  if (channelAccountId === null || accountName === null)
    return (
      <Text size="sm" c="dimmed">
        {accountName ?? 'Removed'}
      </Text>
    );
  return (
    <Anchor component={Link} to={`/channels/${channelAccountId}`} inherit>
      {accountName}
    </Anchor>
  );
}

function Id({ id, what }: { readonly id: string; readonly what: string }): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" ff="monospace">
        {id}
      </Text>
      <CopyButton text={id} label={what} />
    </Group>
  );
}
