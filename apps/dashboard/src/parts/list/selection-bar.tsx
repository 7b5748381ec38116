import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { giveFocusBack } from '../dialog/focus-return.ts';
import classes from '../parts.module.css';
import type { Selection } from './use-selection.ts';

/** What can be done with the selected rows of a list. Hidden while none is selected. */
export function SelectionBar({
  selection: { ids, replace },
  children,
}: {
  readonly selection: Selection;
  readonly children: ReactNode;
}): ReactNode {
  if (ids.size === 0) return null;
  return (
    <div className={classes.selection} role="group" aria-label="Selection">
      <span role="status">{ids.size} selected</span>
      {children}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          replace([]);
          giveFocusBack(null);
        }}
      >
        Clear selection
      </Button>
    </div>
  );
}
