import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { channelName } from '../../parts/channel-name.ts';
import { Facts } from '../../parts/facts.tsx';
import { ChannelIcon } from '../../parts/icons.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { MessageStatus } from '../../parts/status-badge.tsx';
import { DueTime, Time, useNow } from '../../parts/time/time.tsx';
import { everything, writeFilter } from './list/filter.ts';
import { carriesCode, stateOf } from './message-state.ts';
import { Standing } from './standing.tsx';

/** The facts about a message besides its timeline. */
export function MessageFacts({ message }: { readonly message: MessageHistory }): ReactNode {
  const { status, readAt, provider, createdAt, scheduledAt, expiresAt, nextAttemptAt, segments, attempts } =
    message;
  const isInbound = message.direction === 'inbound';
  const state = stateOf(message, useNow());
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Status',
      <Stack key="status" gap={6}>
        <MessageStatus status={state} readAt={readAt} />
        <Standing message={message} />
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
  if (scheduledAt !== null) facts.push(['Scheduled for', <Time key="scheduled" at={scheduledAt} toMinute />]);
  if (message.urgent)
    facts.push([
      'Urgent',
      carriesCode(message) ? 'One-time codes are sent even in quiet hours' : 'Yes, sent even in quiet hours',
    ]);
  if (isInbound && message.sentAt !== null)
    facts.push(['Written', <Time key="written" at={message.sentAt} />]);
  if (message.replyTo !== null)
    facts.push([
      'In reply to',
      <Anchor key="reply" component={Link} to={`/messages/${message.replyTo}`} inherit>
        View message
      </Anchor>,
    ]);
  facts.push(...telegramFacts(message));
  if (state === 'queued' && nextAttemptAt !== null)
    facts.push(['Next attempt', <DueTime key="next" at={nextAttemptAt} />]);
  if (status === 'queued') facts.push(['Expires', <Time key="expires" at={expiresAt} since />]);
  if (attempts > 0) facts.push(['Attempts', attempts]);
  if (segments !== null) facts.push(['SMS segments', segments]);
  facts.push(['ID', <Id key="id" id={message.messageId} what="message ID" />]);
  if (message.externalId !== null)
    facts.push(['Provider ID', <Id key="external" id={message.externalId} what="provider ID" />]);
  if (message.groupId !== null)
    facts.push([
      'Group',
      <Id key="group" id={message.groupId} what="group ID" to={`/groups/${message.groupId}`} />,
    ]);
  if (message.tags.length > 0) facts.push(['Tags', <Tags key="tags" tags={message.tags} />]);
  for (const [name, value] of Object.entries(message.metadata)) facts.push([`Metadata: ${name}`, value]);
  if (message.idempotencyKey !== null)
    facts.push(['Idempotency key', <Id key="key" id={message.idempotencyKey} what="idempotency key" />]);
  if (message.apiKeyId !== null) facts.push(['API key', <ApiKey key="by" id={message.apiKeyId} />]);
  return <Facts facts={facts} />;
}

/** The options that only Telegram has, and the topic that a message is in. */
function telegramFacts({ body, threadId }: MessageHistory): (readonly [string, ReactNode])[] {
  const { format, threadId: topic = threadId, silent, preview } = ('telegram' in body && body.telegram) || {};
  return [
    ...(format === undefined ? [] : [['Format', format === 'html' ? 'HTML' : 'Markdown'] as const]),
    ...(topic === null ? [] : [['Topic', topic] as const]),
    ...(silent === true ? [['Sound', 'Off'] as const] : []),
    ...(preview === false ? [['Link preview', 'Off'] as const] : []),
  ];
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

/** The tags of the message. Each leads to the list of its messages. */
function Tags({ tags }: { readonly tags: readonly string[] }): ReactNode {
  return (
    <Group gap={6}>
      {tags.map((tag) => (
        <Anchor key={tag} component={Link} to={`/messages?${writeFilter({ ...everything, tag })}`} inherit>
          {tag}
        </Anchor>
      ))}
    </Group>
  );
}

/** The API key whose request made the message. A revoked one is no longer in the list of keys. */
function ApiKey({ id }: { readonly id: string }): ReactNode {
  const { data: keys } = useRead('get /tenant/api-keys');
  const name = keys?.find((key) => key.id === id)?.name;
  if (name === undefined) return <Id id={id} what="ID of the API key" />;
  return (
    <Anchor component={Link} to="/keys" inherit title={id}>
      {name}
    </Anchor>
  );
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
