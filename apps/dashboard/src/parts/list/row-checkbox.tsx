import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../parts.module.css';
import type { Selection } from './use-selection.ts';

/** Selects a row of a list. */
export function RowCheckbox({
  id,
  label,
  selection,
  disabled = false,
}: {
  readonly id: string;
  /** Such as `Select the message to +14155550123`. */
  readonly label: string;
  readonly selection: Selection;
  readonly disabled?: boolean;
}): ReactNode {
  return (
    <span className={classes.pick}>
      <Checkbox
        size="xs"
        aria-label={label}
        disabled={disabled}
        checked={selection.ids.has(id)}
        onChange={() => selection.toggle(id)}
      />
    </span>
  );
}

/** Selects all rows that are shown and can be selected, or none. */
export function AllCheckbox({
  ids,
  label,
  selection,
}: {
  readonly ids: readonly string[];
  /** Such as `Select all messages shown`. */
  readonly label: string;
  readonly selection: Selection;
}): ReactNode {
  const chosen = ids.filter((id) => selection.ids.has(id)).length;
  const isAll = ids.length > 0 && chosen === ids.length;
  return (
    <span className={classes.pick}>
      <Checkbox
        size="xs"
        aria-label={label}
        disabled={ids.length === 0}
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        onChange={() => selection.replace(isAll ? [] : ids)}
      />
    </span>
  );
}
