import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import type { MessageDetails } from '../../api/schema.ts';
import { channelName } from '../../parts/channel-name.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChannelIcon, MessagesIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { MessageStatus } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { countOf, type Filter } from './filter.ts';
import { inShort } from './message-text.ts';
import classes from './messages.module.css';
import { useLiveMessages } from './use-live-messages.ts';

/** The messages that match a filter, kept up to date. */
export function MessageList({
  filter,
  onSend,
}: {
  readonly filter: Filter;
  /** Opens the dialog that sends a test message. */
  readonly onSend: () => void;
}): ReactNode {
  const { pages, newer, showNewer } = useLiveMessages(filter);
  const { query, items = [], more } = pages;
  return (
    <Loaded query={query} what="the messages" skeleton={<ListSkeleton />}>
      {() =>
        items.length === 0 && more === null ? (
          <Nothing isFiltered={countOf(filter) > 0} onSend={onSend} />
        ) : (
          <>
            <div className={classes.newer} role="status">
              {newer > 0 && (
                <Button size="compact-sm" radius="xl" onClick={showNewer}>
                  {newer === 1 ? '1 new message' : `${newer} new messages`}
                </Button>
              )}
            </div>
            <Rows items={items} />
            {more !== null && items.length === 0 && (
              <Text size="sm" c="dimmed" ta="center">
                No matches among the newest messages. Older messages have not been searched yet.
              </Text>
            )}
            <MoreButton pages={pages} />
          </>
        )
      }
    </Loaded>
  );
}

function Rows({ items }: { readonly items: readonly MessageDetails[] }): ReactNode {
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  const nameOf = (id: string | null): string =>
    accounts.find((account) => account.id === id)?.name ?? (accounts.length === 0 ? '' : 'Removed account');
  if (items.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Messages">
      {items.map((message) => (
        <Row key={message.messageId} message={message} account={nameOf(message.channelAccountId)} />
      ))}
    </ul>
  );
}

function Row({
  message,
  account,
}: {
  readonly message: MessageDetails;
  readonly account: string;
}): ReactNode {
  const { messageId, provider, to, status, readAt, createdAt, errorCode } = message;
  return (
    <li className={classes.row}>
      <span className={classes.channel} title={channelName(provider)}>
        <ChannelIcon channel={provider} />
        <span className={classes.channelName}>{channelName(provider)}</span>
      </span>
      <Link to={`/messages/${messageId}`} className={classes.recipient}>
        {to}
      </Link>
      <span className={classes.text}>{inShort(message)}</span>
      <span className={classes.account}>{account}</span>
      <span className={classes.status}>
        <MessageStatus status={status} readAt={readAt} />
        {errorCode !== null && <span className={classes.code}>{errorCode}</span>}
      </span>
      <span className={classes.when}>
        <Time at={createdAt} since />
      </span>
    </li>
  );
}

function Nothing({
  isFiltered,
  onSend,
}: {
  readonly isFiltered: boolean;
  readonly onSend: () => void;
}): ReactNode {
  if (isFiltered)
    return (
      <EmptyState title="No matching messages">
        Remove a filter or choose a longer period. Enter the full recipient.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No messages yet"
      icon={<MessagesIcon size={22} />}
      action={
        <Button variant="light" onClick={onSend}>
          Send test message
        </Button>
      }
    >
      Messages sent with an API key appear here within seconds. So does a test message.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap={6} pt={34}>
      {Array.from({ length: 8 }, (_, line) => (
        <Skeleton key={line} height={46} radius="md" />
      ))}
    </Stack>
  );
}
