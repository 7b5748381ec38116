import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './folded-filters.module.css';

/**
 * The filters over a list. On a phone they would fill the window, so all but the search are folded there behind a button
 * that says how many are set. One with a fault stays in sight.
 */
export function FoldedFilters({
  name,
  search,
  set,
  className = classes.bar!,
  children,
}: {
  /** What is listed: `Messages`. */
  readonly name: string;
  /** Stays in sight. One element. */
  readonly search: ReactNode;
  /** How many of the others leave something out. */
  readonly set: number;
  /** Lays out the search, the button and the filters. Default: in rows. */
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode {
  const [unfolds, setUnfolds] = useState(false);
  return (
    <div
      className={`${classes.fold} ${className}`}
      role="search"
      aria-label={name}
      {...(unfolds ? {} : { 'data-folded': true })}
    >
      {search}
      <Button
        className={classes.button}
        variant="default"
        size="xs"
        aria-expanded={unfolds}
        onClick={() => setUnfolds(!unfolds)}
      >
        {set === 0 ? 'Filters' : `Filters (${set})`}
      </Button>
      {children}
    </div>
  );
}
