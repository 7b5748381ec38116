import { Anchor, Title } from '@mantine/core';
import type { CodeVerification } from '@notify/sdk';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useLiveList } from '../../api/live-list.ts';
import { type CameFrom, useCameFrom } from '../../parts/back-link.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import rows from '../../parts/list/rows.module.css';
import { Time } from '../../parts/time/time.tsx';
import { isReversed } from '../../parts/list/span.ts';
import { useFilter } from '../../parts/list/use-filter.ts';
import { useIsReading } from '../../parts/list/use-is-reading.ts';
import classes from '../groups/groups.module.css';
import {
  countOf,
  type ListFilter,
  listQueryOf,
  readListFilter,
  writeListFilter,
} from '../groups/list-filter.ts';
import { ListFilters } from '../groups/list-filters.tsx';
import { ListTable } from '../groups/list-table.tsx';
import { attemptsInWords } from './attempts-in-words.ts';
import { VerificationStatus, verificationWords } from './verification-status.tsx';

type Filter = ListFilter<CodeVerification['status']>;

const statuses = ['pending', 'approved', 'failed', 'expired', 'canceled'] as const;
const addressed = {
  read: (search: URLSearchParams): Filter => readListFilter(search, statuses),
  write: writeListFilter,
};
/** An approval is no event, so nothing tells of one. */
const everyMs = 5_000;
const pageSize = 25;

/** All verifications, newest first, with a search by recipient. The filters are part of the address. */
export function VerificationList(): ReactNode {
  const [filter, change] = useFilter(addressed);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        All verifications
      </Title>
      <ListFilters name="Verifications" words={verificationWords} filter={filter} onChange={change} />
      {/* The filter itself says what is wrong with it. */}
      {!isReversed(filter) && <List key={writeListFilter(filter).toString()} filter={filter} />}
    </section>
  );
}

function List({ filter }: { readonly filter: Filter }): ReactNode {
  const table = useRef<HTMLDivElement>(null);
  // The end of a span is fixed once, so that the pages fit together.
  const [openedMs] = useState(() => Date.now());
  const cameFrom = useCameFrom();
  const list = useLiveList(
    'get /v1/verifications',
    { query: { ...listQueryOf(filter, openedMs), limit: pageSize } },
    { idOf: ({ id }) => id, everyMs, isReading: useIsReading(table) },
  );
  return (
    <ListTable
      list={list}
      table={table}
      name="Verifications"
      what="verification"
      idOf={({ id }) => id}
      columns={[
        [classes.who, 'Recipient'],
        [classes.routes, 'Attempts'],
        [classes.status, 'Status'],
        [classes.when, 'Started'],
      ]}
      empty={<Nothing isFiltered={countOf(filter) > 0} />}
    >
      {(verification) => <Cells verification={verification} cameFrom={cameFrom} />}
    </ListTable>
  );
}

function Cells({
  verification,
  cameFrom,
}: {
  readonly verification: CodeVerification;
  readonly cameFrom: CameFrom;
}): ReactNode {
  const { id, to, status, sandbox, groupId, createdAt } = verification;
  return (
    <>
      <span role="cell" className={classes.who}>
        <Link to={`/verifications/${id}`} state={cameFrom} className={rows.cover}>
          {to}
        </Link>
        {sandbox && <span className={classes.mark}>sandbox</span>}
      </span>
      <span role="cell" className={classes.routes}>
        {attemptsInWords(verification)}
        <Anchor
          component={Link}
          to={`/groups/${groupId}`}
          className={classes.own}
          aria-label={`Messages to ${to}`}
          size="sm"
        >
          Messages
        </Anchor>
      </span>
      <span role="cell" className={classes.status}>
        <VerificationStatus status={status} />
      </span>
      <span role="cell" className={classes.when}>
        <Time at={createdAt} since />
      </span>
    </>
  );
}

function Nothing({ isFiltered: isLess }: { readonly isFiltered: boolean }): ReactNode {
  if (isLess)
    return (
      <EmptyState title="No matching verifications">
        Remove a filter or choose a longer period. Enter the full recipient.
      </EmptyState>
    );
  return (
    <EmptyState title="No verifications yet">
      A verification appears here when a program sends a code with an API key.
    </EmptyState>
  );
}
