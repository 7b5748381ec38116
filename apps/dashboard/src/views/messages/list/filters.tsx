import { Button, Group, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { accountLabel } from '../../../parts/account-label.ts';
import { channelName } from '../../../parts/channel-name.ts';
import { channels, countOf, directions, everything, type Filter, spans, statuses } from './filter.ts';
import classes from '../messages.module.css';
import { Conditions, Search } from './search.tsx';
import { TimeRange } from './time-range.tsx';

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
    <div className={classes.filters} role="search" aria-label="Messages">
      <Search filter={filter} onChange={onChange} />
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
      <Times filter={filter} onChange={onChange} />
      {countOf(filter) > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange(everything)}>
          Clear
        </Button>
      )}
      <Conditions filter={filter} onChange={onChange} />
    </div>
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

const between = 'between';

/** Filters by time: a span that ends now, or two points in time. */
export function Times({
  filter: { span, from, until },
  onChange,
}: {
  readonly filter: Pick<Filter, 'span' | 'from' | 'until'>;
  readonly onChange: (part: Partial<Pick<Filter, 'span' | 'from' | 'until'>>) => void;
}): ReactNode {
  const [wasOpened, setOpen] = useState(false);
  const isOpen = wasOpened || from !== null || until !== null;
  const choose = (value: string): void => {
    setOpen(value === between);
    onChange({ span: value === between ? null : orNull(value), from: null, until: null });
  };
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label="Time"
        value={isOpen && span === null ? between : (span ?? '')}
        data={[
          { value: '', label: 'Any time' },
          ...spans.map((one) => ({ value: one.span, label: one.label })),
          { value: between, label: 'Custom' },
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {isOpen && span === null && <TimeRange from={from} until={until} onChange={onChange} />}
    </Group>
  );
}
