import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { accountLabel } from '../../parts/account-label.ts';
import { channelName } from '../../parts/channel-name.ts';
import { SearchIcon } from '../../parts/icons.tsx';
import { FoldedFilters } from '../../parts/list/folded-filters.tsx';
import { TimeRange } from '../../parts/list/time-range.tsx';
import { channels } from '../messages/list/filter.ts';
import classes from './conversations.module.css';
import { type ConversationFilter, countOf } from './filter.ts';

/** How long nothing must be typed before it is searched for. */
const typingMs = 300;

/** The filters of the list: by contact, channel, account and the time of the last message, and whether they are read. */
export function ConversationFilters({
  filter,
  onChange,
}: {
  readonly filter: ConversationFilter;
  readonly onChange: (part: Partial<ConversationFilter>) => void;
}): ReactNode {
  const { channel, account, isUnread } = filter;
  const { data = [] } = useRead('get /v1/channel-accounts');
  const shown = data.filter((one) => channel === null || one.channel === channel);
  const isKnown = account === null || shown.some(({ id }) => id === account);
  return (
    <FoldedFilters
      name="Conversations"
      className={classes.filters}
      search={<Search value={filter.search} onSearch={(search) => onChange({ search })} />}
      set={countOf({ ...filter, search: null })}
    >
      <NativeSelect
        aria-label="Channel"
        value={channel ?? ''}
        data={[
          { value: '', label: 'All channels' },
          ...channels.map((one) => ({ value: one, label: channelName(one) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ channel: channels.find((one) => one === value) ?? null, account: null })
        }
      />
      <NativeSelect
        aria-label="Account"
        value={account ?? ''}
        data={[
          { value: '', label: 'All accounts' },
          ...shown.map((one) => ({ value: one.id, label: accountLabel(one, data) })),
          ...(isKnown ? [] : [{ value: account, label: 'Removed account' }]),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ account: value === '' ? null : value })}
      />
      <TimeRange times={filter} onChange={onChange} />
      <Checkbox
        size="xs"
        label="Unread only"
        checked={isUnread}
        onChange={({ currentTarget: { checked } }) => onChange({ isUnread: checked })}
      />
    </FoldedFilters>
  );
}

/** Searches while somebody types. */
function Search({
  value,
  onSearch,
}: {
  readonly value: string | null;
  readonly onSearch: (search: string | null) => void;
}): ReactNode {
  const [typed, setTyped] = useState(value ?? '');
  const asked = useRef(value);
  // The address has another search after "back".
  useEffect(() => {
    if (asked.current !== value) setTyped(value ?? '');
    asked.current = value;
  }, [value]);
  const search = useDebouncedCallback((text: string) => {
    asked.current = text.trim() === '' ? null : text.trim();
    onSearch(asked.current);
  }, typingMs);
  return (
    <TextInput
      type="search"
      aria-label="Search by contact"
      placeholder="Name, username or number"
      maxLength={100}
      leftSection={<SearchIcon size={16} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
