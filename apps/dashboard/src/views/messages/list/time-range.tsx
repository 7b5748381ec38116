import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { momentExample, readMoment, writeMoment } from '../../../parts/time/moment-text.ts';
import { isReversed } from './filter.ts';
import classes from '../messages.module.css';

interface Range {
  readonly from: string | null;
  readonly until: string | null;
}

/** Two points in time, each optional. Only a range that makes sense is passed on. */
export function TimeRange({
  from,
  until,
  onChange,
}: Range & { readonly onChange: (range: Range) => void }): ReactNode {
  const [typed, setTyped] = useState({ from: textOf(from), until: textOf(until) });
  const [isDone, setDone] = useState(true);
  const [shown, setShown] = useState({ from, until });
  const [passedOn, setPassedOn] = useState({ from, until });
  if (!isSame(shown, { from, until })) {
    setShown({ from, until });
    // Another range than ours: the way back led to it. Ours may arrive while the other field is typed in.
    if (!isSame(passedOn, { from, until })) {
      setPassedOn({ from, until });
      setTyped({ from: textOf(from), until: textOf(until) });
    }
  }
  const range = { from: isoOf(typed.from), until: isoOf(typed.until) };
  const faults = isDone ? faultsOf(typed, range) : { from: null, until: null };
  const apply = (): void => {
    setDone(true);
    if (Object.values(faultsOf(typed, range)).some((fault) => fault !== null)) return;
    if (isSame(range, { from, until })) return;
    setPassedOn(range);
    onChange(range);
  };
  const inputOf = (name: keyof Range, label: string) => ({
    'aria-label': label,
    placeholder: momentExample,
    className: classes.moment,
    value: typed[name],
    error: faults[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
      setDone(false);
      setTyped({ ...typed, [name]: value });
    },
    onBlur: apply,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') apply();
    },
  });
  return (
    <>
      <TextInput {...inputOf('from', 'From')} />
      <TextInput {...inputOf('until', 'Until')} />
    </>
  );
}

function isSame(a: Range, b: Range): boolean {
  return a.from === b.from && a.until === b.until;
}

function faultsOf(typed: { from: string; until: string }, range: Range): Record<keyof Range, string | null> {
  const faultOf = (name: keyof Range): string | null =>
    typed[name].trim() !== '' && range[name] === null
      ? `Enter a date and time, such as ${momentExample}.`
      : null;
  const until = faultOf('until');
  return { from: faultOf('from'), until: isReversed(range) ? 'End must be after start.' : until };
}

function textOf(iso: string | null): string {
  return iso === null ? '' : writeMoment(new Date(iso));
}

function isoOf(text: string): string | null {
  return readMoment(text)?.toISOString() ?? null;
}
