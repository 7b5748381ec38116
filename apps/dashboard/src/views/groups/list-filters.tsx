import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { SearchIcon } from '../../parts/icons.tsx';
import { FoldedFilters } from '../../parts/list/folded-filters.tsx';
import { TimeRange } from '../../parts/list/time-range.tsx';
import classes from './groups.module.css';
import { countOf, type ListFilter } from './list-filter.ts';

/** The filters of a list by recipient, status and time. */
export function ListFilters<Status extends string>({
  name,
  words,
  filter,
  onChange,
}: {
  /** What is listed: `Groups`. */
  readonly name: string;
  /** Each status as it is shown. */
  readonly words: Readonly<Record<Status, string>>;
  readonly filter: ListFilter<Status>;
  readonly onChange: (part: Partial<ListFilter<Status>>) => void;
}): ReactNode {
  const statuses = Object.keys(words) as Status[];
  return (
    <FoldedFilters
      name={name}
      search={<Search to={filter.to} onSearch={(to) => onChange({ to })} />}
      set={countOf({ ...filter, to: null })}
    >
      <NativeSelect
        aria-label="Status"
        value={filter.status ?? ''}
        data={[
          { value: '', label: 'Any status' },
          ...statuses.map((status) => ({ value: status, label: words[status] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: statuses.find((one) => one === value) ?? null })
        }
      />
      <TimeRange times={filter} onChange={onChange} />
      {countOf(filter) > 0 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onChange({ to: null, status: null, span: null, from: null, until: null })}
        >
          Clear
        </Button>
      )}
    </FoldedFilters>
  );
}

function Search({
  to,
  onSearch,
}: {
  readonly to: string | null;
  readonly onSearch: (to: string | null) => void;
}): ReactNode {
  const [typed, setTyped] = useState(to ?? '');
  const [seen, setSeen] = useState(to);
  // A new key would throw the focus away.
  if (seen !== to) {
    setSeen(to);
    setTyped(to ?? '');
  }
  const wanted = typed.trim() === '' ? null : typed.trim();
  const search = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch(wanted);
  };
  return (
    <form onSubmit={search} className={classes.search}>
      <TextInput
        type="search"
        aria-label="Recipient"
        placeholder="Recipient"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => {
          if (wanted === null && to !== null) onSearch(null);
        }}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}
