import { Anchor } from '@mantine/core';
import type { Group } from '@notify/sdk';
import type { ReactNode } from 'react';
import { isReversed } from '../../parts/list/span.ts';
import { useFilter } from '../../parts/list/use-filter.ts';
import { Page } from '../../shell/page.tsx';
import { GroupList } from './group-list.tsx';
import { groupWords } from './group-status.tsx';
import { type ListFilter, readListFilter, writeListFilter } from './list-filter.ts';
import { ListFilters } from './list-filters.tsx';

const statuses = ['pending', 'sent', 'delivered', 'failed'] as const;
const addressed = {
  read: (search: URLSearchParams): ListFilter<Group['status']> => readListFilter(search, statuses),
  write: writeListFilter,
};

/** All groups, newest first. The filters are part of the address, and of the way back. */
export function GroupsView(): ReactNode {
  const [filter, change] = useFilter(addressed);
  return (
    <Page
      title="Fallback groups"
      about={
        <>
          Messages that try several routes to one person, one after the other.{' '}
          <Anchor href="/docs/guides/fallback" underline="always" inherit>
            Guide
          </Anchor>
        </>
      }
    >
      <ListFilters name="Fallback groups" words={groupWords} filter={filter} onChange={change} />
      {/* The filter itself says what is wrong with it. */}
      {!isReversed(filter) && <GroupList key={writeListFilter(filter).toString()} filter={filter} />}
    </Page>
  );
}
