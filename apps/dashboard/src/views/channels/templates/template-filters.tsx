import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Template } from '@notify/core';
import { SearchIcon } from '../../../parts/icons.tsx';
import { templateTones } from '../../../parts/status-badge.tsx';
import { amount } from '../../../parts/time/time-text.ts';
import { statuses, type TemplateFilter } from './filter.ts';
import classes from './templates.module.css';

/** Search and status of a list of templates. The list follows while somebody types. */
export function TemplateFilters({
  filter,
  templates,
  found,
  onChange,
}: {
  readonly filter: TemplateFilter;
  readonly templates: readonly Pick<Template, 'status'>[];
  /** The number of templates that match. */
  readonly found: number;
  readonly onChange: (part: Partial<TemplateFilter>) => void;
}): ReactNode {
  // The address follows each key press late, so the input keeps its own text.
  const [typed, setTyped] = useState(filter.search);
  const type = (search: string): void => {
    setTyped(search);
    onChange({ search: search.trim() });
  };
  const clear = (): void => {
    setTyped('');
    onChange({ search: '', status: null });
  };
  const isFiltered = filter.search !== '' || filter.status !== null;
  return (
    <div className={classes.filters} role="search" aria-label="Templates">
      <TextInput
        aria-label="Search by name or language"
        placeholder="Search by name or language"
        className={classes.search}
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      <NativeSelect
        aria-label="Status"
        value={filter.status ?? ''}
        data={[
          { value: '', label: 'Any status' },
          ...statuses.map((status) => ({ value: status, label: optionOf(status, templates) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: statuses.find((one) => one === value) ?? null })
        }
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      )}
      <Text size="sm" c="dimmed" role="status" className={classes.count}>
        {countOf(found, templates.length)}
      </Text>
    </div>
  );
}

function optionOf(status: (typeof statuses)[number], templates: readonly Pick<Template, 'status'>[]): string {
  const count = templates.filter((one) => one.status === status).length;
  return `${templateTones[status][1]} (${amount(count)})`;
}

function countOf(found: number, all: number): string {
  const templates = all === 1 ? '1 template' : `${amount(all)} templates`;
  return found === all ? templates : `${amount(found)} of ${templates}`;
}
