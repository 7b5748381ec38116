import { Tooltip } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import classes from './parts.module.css';
import { absolute, relative, utc } from './time-text.ts';

/** The interval at which relative times are updated, in ms. */
const tickMs = 15_000;

/** A point in time in the reader's zone, with UTC on hover and focus. With `since`, a relative time. */
export function Time({
  at,
  since = false,
  never = '–',
}: {
  /** ISO 8601; null is shown as `never`. */
  readonly at: string | null | undefined;
  readonly since?: boolean;
  readonly never?: string;
}): ReactNode {
  const now = useNow();
  if (at === null || at === undefined) return <span className={classes.never}>{never}</span>;
  const date = new Date(at);
  const shown = since ? relative(date, now) : absolute(date, now);
  const label = since ? `${absolute(date, now)} · ${utc(date)}` : utc(date);
  return (
    <Tooltip label={label}>
      <time dateTime={at} tabIndex={0} className={classes.time}>
        {shown}
      </time>
    </Tooltip>
  );
}

/** The current time, in ms since 1970, updated every `tickMs`. */
function useNow(): number {
  return useSyncExternalStore(everyTick, () => Math.floor(Date.now() / tickMs) * tickMs);
}

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
