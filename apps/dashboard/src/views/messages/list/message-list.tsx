import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { accountName } from '../../../parts/account-label.ts';
import { type CameFrom, useCameFrom } from '../../../parts/back-link.tsx';
import { channelName } from '../../../parts/channel-name.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ChannelIcon, MessagesIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { MoreButton } from '../../../parts/list/more-button.tsx';
import { NewerButton } from '../../../parts/list/newer-button.tsx';
import { AllCheckbox, RowCheckbox } from '../../../parts/list/row-checkbox.tsx';
import rows from '../../../parts/list/rows.module.css';
import { MessageStatus } from '../../../parts/status-badge.tsx';
import { DueTime, Time, useNow } from '../../../parts/time/time.tsx';
import { useIsReading } from '../../../parts/list/use-is-reading.ts';
import { type Selection, useSelection } from '../../../parts/list/use-selection.ts';
import { VirtualRows } from '../../../parts/list/virtual-rows.tsx';
import { countOf, type Filter } from './filter.ts';
import { SelectedActions } from '../many/more-actions.tsx';
import { carriesCode, stateOf } from '../message-state.ts';
import { inShort } from '../content/message-text.ts';
import classes from '../messages.module.css';
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
  const table = useRef<HTMLDivElement>(null);
  const selection = useSelection();
  const list = useLiveMessages(filter, useIsReading(table), (id) => selection.ids.has(id));
  const { query, items, more, newer } = list;
  return (
    <Loaded query={query} what="the messages" skeleton={<ListSkeleton />}>
      {() =>
        items.length === 0 && more === null ? (
          <Nothing isFiltered={countOf(filter) > 0} onSend={onSend} />
        ) : (
          <>
            <NewerButton newer={newer} what="message" list={table} />
            <SelectedActions items={items} filter={filter} selection={selection} />
            <div ref={table} className={classes.anchor}>
              {items.length > 0 && (
                <Rows items={items} isWhole={more === null} filter={filter} selection={selection} />
              )}
            </div>
            {more !== null && items.length === 0 && (
              <Text size="sm" c="dimmed" ta="center">
                No matches among the newest messages. Older messages have not been searched yet.
              </Text>
            )}
            <MoreButton list={list} what="message" />
          </>
        )
      }
    </Loaded>
  );
}

/** The columns of sent messages, or of both directions. */
function columnsOf({ direction, status }: Pick<Filter, 'direction' | 'status'>) {
  const isSent = direction === null;
  const when = isSent ? 'Accepted' : 'Time';
  return [
    ['channel', 'Channel'],
    ['recipient', isSent ? 'Recipient' : 'Contact'],
    ['text', 'Content'],
    ['account', 'Account'],
    ['status', 'Status'],
    ['when', status === 'scheduled' ? 'Leaves' : when],
  ] as const;
}

function Rows({
  items,
  isWhole,
  filter,
  selection,
}: {
  readonly items: readonly MessageDetails[];
  readonly isWhole: boolean;
  readonly filter: Filter;
  readonly selection: Selection;
}): ReactNode {
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  const cameFrom = useCameFrom();
  const nameOf = (id: string | null): string => {
    const account = accounts.find((one) => one.id === id);
    if (account !== undefined) return accountName(account, accounts);
    return accounts.length === 0 ? '' : 'Removed account';
  };
  return (
    <div
      role="table"
      aria-label="Messages"
      aria-rowcount={isWhole ? items.length + 1 : -1}
      className={rows.list}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${rows.row} ${rows.header} ${classes.row}`}>
          <span role="columnheader" className={classes.pick}>
            <AllCheckbox
              ids={items.map(({ messageId }) => messageId)}
              label="Select all messages shown"
              selection={selection}
            />
          </span>
          {columnsOf(filter).map(([name, label]) => (
            <span key={name} role="columnheader" className={classes[name]}>
              {name === 'channel' ? <span className={classes.channelName}>{label}</span> : label}
            </span>
          ))}
        </div>
      </div>
      <VirtualRows items={items} idOf={({ messageId }) => messageId} heightPx={47}>
        {(message, index) => (
          <Row
            message={message}
            index={index}
            account={nameOf(message.channelAccountId)}
            isScheduled={filter.status === 'scheduled'}
            selection={selection}
            cameFrom={cameFrom}
          />
        )}
      </VirtualRows>
    </div>
  );
}

function Row({
  message,
  index,
  account,
  isScheduled,
  selection,
  cameFrom,
}: {
  readonly message: MessageDetails;
  readonly index: number;
  readonly account: string;
  /** Whether the list is that of scheduled messages, which shows when they leave. */
  readonly isScheduled: boolean;
  readonly selection: Selection;
  readonly cameFrom: CameFrom;
}): ReactNode {
  const { messageId, groupId, provider, direction, from, to, readAt, createdAt } = message;
  const { scheduledAt, errorCode } = message;
  const state = stateOf(message, useNow());
  const person = direction === 'inbound' ? `From ${from ?? 'an unknown sender'}` : to;
  return (
    <div role="row" aria-rowindex={index} className={`${rows.row} ${classes.row}`}>
      <span role="cell" className={classes.pick}>
        <RowCheckbox id={messageId} label={`Select the message: ${person}`} selection={selection} />
      </span>
      <span role="cell" className={classes.channel} title={channelName(provider)}>
        <ChannelIcon channel={provider} />
        <span className={classes.channelName}>{channelName(provider)}</span>
      </span>
      <span role="cell" className={classes.recipient}>
        <Link to={`/messages/${messageId}`} state={cameFrom} className={rows.cover}>
          {person}
        </Link>
        {groupId !== null && <Mark isCode={carriesCode(message)} />}
      </span>
      <span role="cell" className={classes.text}>
        {inShort(message)}
      </span>
      <span role="cell" className={classes.account}>
        {account}
      </span>
      <span role="cell" className={classes.status}>
        <MessageStatus status={state} readAt={readAt} />
        {errorCode !== null && <span className={classes.code}>{errorCode}</span>}
        {state === 'scheduled' && !isScheduled && scheduledAt !== null && (
          <span className={classes.code}>
            <DueTime at={scheduledAt} />
          </span>
        )}
      </span>
      <span role="cell" className={classes.when}>
        {isScheduled ? <Time at={scheduledAt} toMinute /> : <Time at={createdAt} since />}
      </span>
    </div>
  );
}

/** Says what a message is a part of. */
function Mark({ isCode }: { readonly isCode: boolean }): ReactNode {
  return (
    <span
      className={classes.mark}
      title={isCode ? 'The one-time code of a verification' : 'A route of a group'}
    >
      {isCode ? 'code' : 'route'}
    </span>
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
        Remove a filter or choose a longer period. A recipient, ID, key or code matches only as a whole.
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
    <Stack gap={6}>
      {Array.from({ length: 8 }, (_, line) => (
        <Skeleton key={line} height={46} radius="md" />
      ))}
    </Stack>
  );
}
