import type { Group, ListedGroup } from '@notify/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useLiveList } from '../../api/live-list.ts';
import { type CameFrom, useCameFrom } from '../../parts/back-link.tsx';
import { channelName } from '../../parts/channel-name.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChannelIcon, GroupsIcon } from '../../parts/icons.tsx';
import rows from '../../parts/list/rows.module.css';
import { Time } from '../../parts/time/time.tsx';
import { useIsReading } from '../../parts/list/use-is-reading.ts';
import { GroupStatus } from './group-status.tsx';
import classes from './groups.module.css';
import { countOf, type ListFilter, listQueryOf } from './list-filter.ts';
import { ListTable } from './list-table.tsx';

const everyMs = 5_000;
const pageSize = 50;

/** The groups that match a filter, kept up to date. */
export function GroupList({ filter }: { readonly filter: ListFilter<Group['status']> }): ReactNode {
  const table = useRef<HTMLDivElement>(null);
  // The end of a span is fixed once, so that the pages fit together.
  const [openedMs] = useState(() => Date.now());
  const cameFrom = useCameFrom();
  const list = useLiveList(
    'get /v1/groups',
    { query: { ...listQueryOf(filter, openedMs), limit: pageSize } },
    {
      idOf: ({ id }) => id,
      everyMs,
      isReading: useIsReading(table),
      on: ({ name }) => name.startsWith('group.') || name === 'message.queued',
    },
  );
  return (
    <ListTable
      list={list}
      table={table}
      name="Fallback groups"
      what="group"
      idOf={({ id }) => id}
      columns={[
        [classes.who, 'Recipient'],
        [classes.routes, 'Routes'],
        [classes.status, 'Status'],
        [classes.when, 'Accepted'],
      ]}
      empty={<Nothing isFiltered={countOf(filter) > 0} />}
    >
      {(group) => <Cells group={group} cameFrom={cameFrom} />}
    </ListTable>
  );
}

function Cells({ group, cameFrom }: { readonly group: ListedGroup; readonly cameFrom: CameFrom }): ReactNode {
  const { id, routes, status, createdAt } = group;
  return (
    <>
      <span role="cell" className={classes.who}>
        <Link to={`/groups/${id}`} state={cameFrom} className={rows.cover}>
          {[...new Set(routes.map(({ to }) => to))].join(', ')}
        </Link>
      </span>
      <span role="cell" className={classes.routes}>
        {routes.map(({ channel, leftFor }, at) => (
          <span key={at} className={classes.channel} title={channelName(channel)}>
            <ChannelIcon channel={channel} size={16} />
            {channelName(channel)}
            {leftFor !== null && ' →'}
          </span>
        ))}
      </span>
      <span role="cell" className={classes.status}>
        <GroupStatus status={status} />
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
      <EmptyState title="No matching groups">
        Remove a filter or choose a longer period. Enter the full recipient.
      </EmptyState>
    );
  return (
    <EmptyState title="No fallback groups yet" icon={<GroupsIcon size={22} />}>
      A group appears here when a program sends one to <code>/v1/notify/send</code>. The codes of
      verifications are listed under Verifications.
    </EmptyState>
  );
}
