import { NativeSelect, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { isHalfTyped } from '../form/moment-input.tsx';
import { type Range, spans, type Times } from './span.ts';
import classes from './time-range.module.css';
import { faultsOf, type RangeFaults, readRange, typedRange } from './typed-range.ts';

const custom = 'custom';
const noFaults: RangeFaults = { from: null, until: null };
const ends = [
  ['from', 'From'],
  ['until', 'Until'],
] as const;

/** Filters a list by time: a span that ends now, or two points in time. */
export function TimeRange({
  times: { span, from, until },
  onChange,
}: {
  readonly times: Times;
  readonly onChange: (times: Times) => void;
}): ReactNode {
  const hasRange = from !== null || until !== null;
  const [wasOpened, setOpen] = useState(false);
  const [hadRange, setHadRange] = useState(hasRange);
  if (hadRange !== hasRange) {
    setHadRange(hasRange);
    // From now on the range keeps the inputs open, so that they close when it is cleared.
    if (hasRange) setOpen(false);
  }
  const isOpen = span === null && (wasOpened || hasRange);
  const choose = (value: string): void => {
    setOpen(value === custom);
    onChange({ span: spans.find((one) => one.span === value)?.span ?? null, from: null, until: null });
  };
  const pass = (range: Range): void => {
    // The inputs stay for a person who empties them.
    if (range.from === null && range.until === null) setOpen(true);
    onChange({ span: null, ...range });
  };
  return (
    <>
      <NativeSelect
        aria-label="Time"
        value={isOpen ? custom : (span ?? '')}
        data={[
          { value: '', label: 'Any time' },
          ...spans.map((one) => ({ value: one.span, label: one.label })),
          { value: custom, label: 'Custom range…' },
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {isOpen && <Ends from={from} until={until} onChange={pass} />}
    </>
  );
}

/** The two ends, in the zone of the browser. Only a range that makes sense is passed on. */
function Ends({ onChange, ...given }: Range & { readonly onChange: (range: Range) => void }): ReactNode {
  const [typed, setTyped] = useState(() => typedRange(given));
  const [shown, setShown] = useState<Range>(given);
  const [passedOn, setPassedOn] = useState<Range>(given);
  // A link may have a reversed range.
  const [faults, setFaults] = useState(() => faultsOf(typed, given, () => false));
  const inputs = { from: useRef<HTMLInputElement>(null), until: useRef<HTMLInputElement>(null) };
  if (!isSame(shown, given)) {
    setShown(given);
    // Another range than ours: the way back led to it. Ours may arrive while the other end is typed.
    if (!isSame(passedOn, given)) {
      setPassedOn(given);
      setTyped(typedRange(given));
      setFaults(faultsOf(typedRange(given), given, () => false));
    }
  }
  const apply = (): void => {
    const range = readRange(typed, given);
    const found = faultsOf(typed, range, (name) => isHalfTyped(inputs[name].current));
    setFaults(found);
    if (found.from !== null || found.until !== null || isSame(range, given)) return;
    setPassedOn(range);
    onChange(range);
  };
  return (
    <div className={classes.range}>
      {ends.map(([name, label]) => (
        <TextInput
          key={name}
          ref={inputs[name]}
          type="datetime-local"
          // Without a last year, the browser takes six digits for one.
          max="9999-12-31T23:59"
          aria-label={label}
          leftSection={<span aria-hidden>{label}</span>}
          leftSectionWidth={56}
          leftSectionProps={{ className: classes.name! }}
          value={typed[name]}
          error={faults[name]}
          onChange={({ currentTarget: { value } }) => {
            setFaults(noFaults);
            setTyped({ ...typed, [name]: value });
          }}
          onBlur={apply}
          onKeyDown={({ key }: KeyboardEvent) => {
            if (key === 'Enter') apply();
          }}
        />
      ))}
    </div>
  );
}

function isSame(a: Range, b: Range): boolean {
  return a.from === b.from && a.until === b.until;
}
