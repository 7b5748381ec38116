import { Button } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import classes from '../parts.module.css';

/** Over a list that is being read: how many newer items there are. Leads to them. */
export function NewerButton({
  newer,
  what,
  plural = `${what}s`,
  list,
}: {
  readonly newer: number;
  /** One item: `message`. */
  readonly what: string;
  readonly plural?: string;
  readonly list: RefObject<HTMLElement | null>;
}): ReactNode {
  const show = (): void => list.current?.scrollIntoView({ block: 'start' });
  return (
    <div className={classes.newer} role="status">
      {newer > 0 && (
        <Button size="compact-sm" radius="xl" onClick={show}>
          {newer === 1 ? `1 new ${what}` : `${newer} new ${plural}`}
        </Button>
      )}
    </div>
  );
}
