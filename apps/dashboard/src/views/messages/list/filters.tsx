import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { accountLabel } from '../../../parts/account-label.ts';
import { channelName } from '../../../parts/channel-name.ts';
import { FoldedFilters } from '../../../parts/list/folded-filters.tsx';
import { TimeRange } from '../../../parts/list/time-range.tsx';
import { channels, countOf, directions, everything, type Filter, statuses } from './filter.ts';
import { Conditions, Search } from './search.tsx';

/** The chosen option of a select, as a filter stores it. */
const orNull = <T extends string>(value: string): T | null => (value === '' ? null : (value as T));

/** The filters of the list. A whole message id in the search opens that message. */
export function Filters({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
}): ReactNode {
  return (
    <FoldedFilters
      name="Messages"
      search={<Search filter={filter} onChange={onChange} />}
      // A recipient stands in the search.
      set={countOf({ ...filter, to: null })}
    >
      <NativeSelect
        aria-label="Direction"
        value={filter.direction ?? ''}
        data={[
          { value: '', label: 'Sent' },
          { value: 'inbound', label: 'Received' },
          { value: 'all', label: 'Sent and received' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ direction: directions.find((one) => one === value) ?? null, status: null })
        }
      />
      <NativeSelect
        aria-label="Channel"
        value={filter.channel ?? ''}
        data={[
          { value: '', label: 'All channels' },
          ...channels.map((channel) => ({ value: channel, label: channelName(channel) })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ channel: orNull(value), account: null })}
      />
      {/* What people wrote has no status. */}
      {filter.direction !== 'inbound' && (
        <NativeSelect
          aria-label="Status"
          value={filter.status ?? ''}
          data={[
            { value: '', label: 'Any status' },
            ...statuses.map((status) => ({ value: status, label: capitalized(status) })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ status: orNull(value) })}
        />
      )}
      <Accounts filter={filter} onChange={(account) => onChange({ account })} />
      <TimeRange times={filter} onChange={onChange} />
      {countOf(filter) > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange(everything)}>
          Clear
        </Button>
      )}
      <Conditions filter={filter} onChange={onChange} />
    </FoldedFilters>
  );
}

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

function Accounts({
  filter: { account, channel },
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (account: string | null) => void;
}): ReactNode {
  const { data = [] } = useRead('get /v1/channel-accounts');
  const shown = data.filter((one) => channel === null || one.channel === channel);
  const isKnown = account === null || shown.some(({ id }) => id === account);
  return (
    <NativeSelect
      aria-label="Account"
      value={account ?? ''}
      data={[
        { value: '', label: 'All accounts' },
        ...shown.map((one) => ({ value: one.id, label: accountLabel(one, data) })),
        ...(isKnown ? [] : [{ value: account, label: 'Removed account' }]),
      ]}
      onChange={({ currentTarget: { value } }) => onChange(orNull(value))}
    />
  );
}
