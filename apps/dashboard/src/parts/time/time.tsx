import { Tooltip } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import classes from '../parts.module.css';
import { absolute, dueIn, relative, utc } from './time-text.ts';
import { useZone } from './zone.ts';

/** The interval at which relative times are updated, in ms. */
const tickMs = 15_000;

/** A point in time in the page's zone, with UTC on hover and focus. With `since`, a relative time. */
export function Time({
  at,
  since = false,
  toMinute = false,
  never = '–',
}: {
  /** ISO 8601; null is shown as `never`. */
  readonly at: string | null | undefined;
  readonly since?: boolean;
  /** Leaves the seconds out, as of a time that somebody chose. */
  readonly toMinute?: boolean;
  readonly never?: string;
}): ReactNode {
  const now = useNow();
  const zone = useZone();
  if (at === null || at === undefined) return <span className={classes.never}>{never}</span>;
  const date = new Date(at);
  const exactly = absolute(date, now, zone);
  return since ? (
    <Explained at={at} label={zone === 'UTC' ? exactly : `${exactly} · ${utc(date)}`}>
      {relative(date, now, zone)}
    </Explained>
  ) : (
    <Explained at={at} label={utc(date)}>
      {toMinute ? absolute(date, now, zone, undefined, false) : exactly}
    </Explained>
  );
}

/** The time of something that is still to come: `in 5 minutes`, and `due` from then on. */
export function DueTime({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  const zone = useZone();
  const date = new Date(at);
  // The time of the tick may lie behind the present by as much as a short wait is long.
  const shown = dueIn(date, Math.max(now, Date.now()), zone);
  return (
    <Explained at={at} label={`${absolute(date, now, zone)} · ${utc(date)}`}>
      {shown}
    </Explained>
  );
}

function Explained({
  at,
  label,
  children,
}: {
  readonly at: string;
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Tooltip label={label}>
      <time dateTime={at} tabIndex={0} className={classes.time}>
        {children}
      </time>
    </Tooltip>
  );
}

/** The current time, in ms since 1970, updated every `tickMs`. */
export function useNow(): number {
  return useSyncExternalStore(everyTick, () => Math.floor(Date.now() / tickMs) * tickMs);
}

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
