import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './messages.module.css';

interface Range {
  readonly from: string | null;
  readonly until: string | null;
}

/** Two points in the reader's time, each optional. */
export function TimeRange({
  from,
  until,
  onChange,
}: Range & { readonly onChange: (range: Range) => void }): ReactNode {
  const isReversed = from !== null && until !== null && from >= until;
  return (
    <>
      <TextInput
        type="datetime-local"
        aria-label="From"
        className={classes.moment}
        defaultValue={localOf(from)}
        onBlur={(event) => onChange({ from: isoOf(event.currentTarget.value), until })}
      />
      <TextInput
        type="datetime-local"
        aria-label="Until"
        className={classes.moment}
        defaultValue={localOf(until)}
        error={isReversed ? 'End must be after start.' : null}
        onBlur={(event) => onChange({ from, until: isoOf(event.currentTarget.value) })}
      />
    </>
  );
}

/** The format of the browser's input: in the reader's zone, without naming it. */
function localOf(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function isoOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
