import { Anchor, Badge, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ChannelAccount, Conversation } from '@notify/sdk';
import { type ReactNode, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { accountName } from '../../parts/account-label.ts';
import { channelName } from '../../parts/channel-name.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChannelIcon, ConversationsIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MoreButton } from '../../parts/list/more-button.tsx';
import { NewerButton } from '../../parts/list/newer-button.tsx';
import { relative } from '../../parts/time/time-text.ts';
import rows from '../../parts/list/rows.module.css';
import { useNow } from '../../parts/time/time.tsx';
import { useIsReading } from '../../parts/list/use-is-reading.ts';
import { useZone } from '../../parts/time/zone.ts';
import { inShort } from '../messages/content/message-text.ts';
import { contactName } from './contact.ts';
import classes from './conversations.module.css';
import { type ConversationFilter, countOf } from './filter.ts';
import { SimulateButton } from './simulate/simulate-button.tsx';
import { useConversations } from './use-conversations.ts';

/** The conversations that match a filter, the one with the newest message first, kept up to date. */
export function ConversationList({
  filter,
  open,
}: {
  readonly filter: ConversationFilter;
  /** The ID of the conversation that is open; null if none is. */
  readonly open: string | null;
}): ReactNode {
  const top = useRef<HTMLUListElement>(null);
  const list = useConversations(filter, useIsReading(top));
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  const { query, items, more, newer } = list;
  return (
    <div className={classes.scroll}>
      <Loaded query={query} what="the conversations" skeleton={<ListSkeleton />}>
        {() =>
          items.length === 0 && more === null ? (
            <Nothing isFiltered={countOf(filter) > 0} accounts={accounts} />
          ) : (
            <>
              {items.length === 0 && (
                <Text size="sm" c="dimmed" p="md">
                  None of the newest conversations match. Older ones may.
                </Text>
              )}
              {newer > 0 && <NewerButton newer={newer} what="conversation" list={top} />}
              <ul ref={top} className={classes.list} aria-label="Conversations">
                {items.map((one) => (
                  <Row key={one.id} conversation={one} accounts={accounts} isOpen={one.id === open} />
                ))}
              </ul>
              <MoreButton list={list} what="conversation" />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Row({
  conversation,
  accounts,
  isOpen,
}: {
  readonly conversation: Conversation;
  readonly accounts: readonly ChannelAccount[];
  readonly isOpen: boolean;
}): ReactNode {
  const { id, channel, channelAccountId, lastMessage, unread, optedOut, createdAt } = conversation;
  const [search] = useSearchParams();
  const account = accounts.find((one) => one.id === channelAccountId);
  const at = lastMessage === null ? createdAt : (lastMessage.receivedAt ?? lastMessage.createdAt);
  return (
    <li className={`${rows.row} ${classes.row}`} {...(unread > 0 ? { 'data-unread': true } : {})}>
      <Link
        to={{ pathname: `/conversations/${id}`, search: search.toString() }}
        className={`${rows.cover} ${classes.cover}`}
        {...(isOpen ? { 'aria-current': 'page' as const } : {})}
      >
        {contactName(conversation)}
      </Link>
      <span className={classes.when}>
        <When at={at} />
      </span>
      <span className={classes.last}>
        {lastMessage === null ? 'Paired' : <LastLine message={lastMessage} />}
      </span>
      {unread > 0 && <UnreadBadge count={unread} />}
      <span className={classes.via}>
        <ChannelIcon channel={channel} size={14} />
        <span>
          {channelName(channel)}
          {account === undefined ? '' : ` · ${accountName(account, accounts)}`}
        </span>
        {optedOut && <span className={classes.optedOut}>Opted out</span>}
      </span>
    </li>
  );
}

function LastLine({ message }: { readonly message: NonNullable<Conversation['lastMessage']> }): ReactNode {
  if (message.direction === 'inbound') return inShort(message);
  return (
    <>
      {message.status === 'failed' && <span className={classes.failed}>Failed · </span>}
      {`You: ${inShort(message)}`}
    </>
  );
}

/** Without a tooltip: each would be one more stop for the keyboard. */
function When({ at }: { readonly at: string }): ReactNode {
  const zone = useZone();
  return <time dateTime={at}>{relative(new Date(at), useNow(), zone)}</time>;
}

/** The api counts up to 100. */
function UnreadBadge({ count }: { readonly count: number }): ReactNode {
  const shown = count >= 100 ? '99+' : String(count);
  return (
    <Badge className={classes.unread} variant="filled" radius="xl" size="sm">
      <span aria-hidden>{shown}</span>
      <VisuallyHidden>{count === 1 ? '1 unread message' : `${shown} unread messages`}</VisuallyHidden>
    </Badge>
  );
}

function Nothing({
  isFiltered: filtered,
  accounts,
}: {
  readonly isFiltered: boolean;
  readonly accounts: readonly ChannelAccount[];
}): ReactNode {
  if (filtered)
    return <EmptyState title="No matching conversations">Change the search or the filters.</EmptyState>;
  const sandboxes = accounts.filter(({ provider }) => provider === 'sandbox');
  return (
    <EmptyState
      title="No conversations yet"
      icon={<ConversationsIcon size={22} />}
      {...(sandboxes.length === 0 ? {} : { action: <SimulateButton accounts={sandboxes} /> })}
    >
      When a person writes to one of your{' '}
      <Anchor component={Link} to="/channels" inherit underline="always">
        accounts
      </Anchor>
      , the conversation appears here.
      {sandboxes.length > 0 && ' Simulate a message to a sandbox account to see how it works.'}
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap={6}>
      {Array.from({ length: 6 }, (_, line) => (
        <Skeleton key={line} height={74} radius="md" />
      ))}
    </Stack>
  );
}
