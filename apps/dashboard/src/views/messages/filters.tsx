import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { accountLabel } from '../../parts/account-label.ts';
import { useCameFrom } from '../../parts/back-link.tsx';
import { channelName } from '../../parts/channel-name.ts';
import { SearchIcon } from '../../parts/icons.tsx';
import {
  channels,
  countOf,
  directions,
  everything,
  type Filter,
  messageIdIn,
  spans,
  statuses,
} from './filter.ts';
import classes from './messages.module.css';
import { TimeRange } from './time-range.tsx';

/** The chosen option of a select, as a filter stores it. */
const orNull = <T extends string>(value: string): T | null => (value === '' ? null : (value as T));

/** The filters of the list. A whole message id in the search opens that message. */
export function Filters({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}): ReactNode {
  const change = (part: Partial<Filter>): void => onChange({ ...filter, ...part });
  return (
    <div className={classes.filters} role="search" aria-label="Messages">
      <Search
        key={filter.to}
        what={filter.direction === 'inbound' ? 'Sender or message ID' : 'Recipient or message ID'}
        to={filter.to}
        onSearch={(to) => change({ to })}
      />
      <NativeSelect
        aria-label="Direction"
        value={filter.direction ?? ''}
        data={[
          { value: '', label: 'Sent' },
          { value: 'inbound', label: 'Received' },
          { value: 'all', label: 'Sent and received' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          change({ direction: directions.find((one) => one === value) ?? null, status: null })
        }
      />
      <NativeSelect
        aria-label="Channel"
        value={filter.channel ?? ''}
        data={[
          { value: '', label: 'All channels' },
          ...channels.map((channel) => ({ value: channel, label: channelName(channel) })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ channel: orNull(value), account: null })}
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
          onChange={({ currentTarget: { value } }) => change({ status: orNull(value) })}
        />
      )}
      <Accounts filter={filter} onChange={(account) => change({ account })} />
      <Times filter={filter} onChange={change} />
      {countOf(filter) > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange(everything)}>
          Clear
        </Button>
      )}
    </div>
  );
}

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** A recipient, or an id. */
function Search({
  what,
  to,
  onSearch,
}: {
  readonly what: string;
  readonly to: string | null;
  readonly onSearch: (to: string | null) => void;
}): ReactNode {
  const [typed, setTyped] = useState(to ?? '');
  const navigate = useNavigate();
  const state = useCameFrom();
  const search = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const id = messageIdIn(typed);
    if (id !== null) void navigate(`/messages/${id}`, { state });
    else onSearch(typed.trim() === '' ? null : typed.trim());
  };
  return (
    <form onSubmit={search} className={classes.search}>
      <TextInput
        type="search"
        aria-label={what}
        placeholder={what}
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => {
          if (typed.trim() === '' && to !== null) onSearch(null);
        }}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
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
