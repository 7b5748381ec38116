import { Tooltip } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import classes from './parts.module.css';
import { absolute, relative, utc } from './time-text.ts';

/** How often relative times are told anew, in ms. */
const tickMs = 15_000;

/** A point in time in the reader's zone; UTC on hover and focus. `since` tells how long ago, or how long until. */
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

/** Now, in ms since 1970, a few times a minute. */
function useNow(): number {
  return useSyncExternalStore(everyTick, () => Math.floor(Date.now() / tickMs) * tickMs);
}

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
