import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { useLiveList } from '../../../api/live-list.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PersonIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { MoreButton } from '../../../parts/list/more-button.tsx';
import { NewerButton } from '../../../parts/list/newer-button.tsx';
import rows from '../../../parts/list/rows.module.css';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { Time } from '../../../parts/time/time.tsx';
import { useIsReading } from '../../../parts/list/use-is-reading.ts';
import { ConsentHistory } from './consent-history.tsx';
import { ConsentQuestion, type Question } from './consent-question.tsx';
import { type ConsentFilter, queryOf } from './consent-filter.ts';
import { type ConsentItem, consentTones, sourceText } from './consent-words.ts';
import classes from './consent.module.css';

const everyMs = 15_000;
const pageSize = 50;

/** The recipients whose consent is known, the newest change first, kept up to date. */
export function ConsentList({
  account,
  filter,
}: {
  readonly account: ChannelAccount;
  readonly filter: ConsentFilter;
}): ReactNode {
  const top = useRef<HTMLUListElement>(null);
  const isReading = useIsReading(top);
  const list = useLiveList(
    'get /v1/consent',
    { query: { ...queryOf(filter, account.id), limit: pageSize } },
    {
      idOf: ({ recipient }) => recipient,
      orderOf: ({ changedAt }) => changedAt,
      everyMs,
      isReading,
      on: ({ name, accountId }) => name.startsWith('contact.opted-') && accountId === account.id,
    },
  );
  const { query, items, more, newer } = list;
  return (
    <Loaded query={query} what="the list" skeleton={<ListSkeleton />}>
      {() =>
        items.length === 0 && more === null ? (
          <Nothing filter={filter} account={account} />
        ) : (
          <>
            {newer > 0 && <NewerButton newer={newer} what="change" list={top} />}
            <ul ref={top} className={rows.list} aria-label="Recipients">
              {items.map((item) => (
                <Row key={item.recipient} item={item} account={account} />
              ))}
            </ul>
            <MoreButton list={list} what="recipient" />
          </>
        )
      }
    </Loaded>
  );
}

function Row({ item, account }: { readonly item: ConsentItem; readonly account: ChannelAccount }): ReactNode {
  const { recipient, status, source, changedAt } = item;
  const [question, setQuestion] = useState<Question | null>(null);
  const [showsHistory, setShowsHistory] = useState(false);
  const [tone, word] = consentTones[status];
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.who}>
        <Text size="sm" fw={550}>
          {recipient}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {sourceText({ status, source })} · <Time at={changedAt} since />
        </Text>
      </div>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <Group gap={4} className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${status === 'opted-out' ? 'Opt in' : 'Opt out'} ${recipient}`}
          onClick={() => setQuestion(status === 'opted-out' ? 'opted-in' : 'opted-out')}
        >
          {status === 'opted-out' ? 'Opt in' : 'Opt out'}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`History of ${recipient}`}
          onClick={() => setShowsHistory(true)}
        >
          History
        </Button>
        {mayForget(item) && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove ${recipient}`}
            onClick={() => setQuestion('remove')}
          >
            Remove
          </Button>
        )}
      </Group>
      {question !== null && (
        <ConsentQuestion
          question={question}
          accountId={account.id}
          recipient={recipient}
          onClose={() => setQuestion(null)}
        />
      )}
      {showsHistory && (
        <ConsentHistory accountId={account.id} recipient={recipient} onClose={() => setShowsHistory(false)} />
      )}
    </li>
  );
}

/** What a person said is not forgotten: an opt-out of their own is lifted with a proof that they asked for it. */
function mayForget({ status, source }: ConsentItem): boolean {
  return status === 'opted-in' || source === 'api' || source === 'earlier';
}

function Nothing({
  filter: { recipient, status },
  account: { channel },
}: {
  readonly filter: ConsentFilter;
  readonly account: ChannelAccount;
}): ReactNode {
  if (recipient !== null || status !== null)
    return (
      <EmptyState title="No matching recipients">
        Enter the full recipient, or choose another status.
      </EmptyState>
    );
  return (
    <EmptyState title="No consent recorded yet" icon={<PersonIcon size={22} />}>
      {channel === 'telegram'
        ? 'A person who blocks the bot is listed here as opted out.'
        : 'A person who sends STOP, or another opt-out word of this account, is listed here as opted out.'}{' '}
      Everyone else gets your messages.
    </EmptyState>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap={6}>
      {Array.from({ length: 4 }, (_, line) => (
        <Skeleton key={line} height={58} radius="md" />
      ))}
    </Stack>
  );
}
