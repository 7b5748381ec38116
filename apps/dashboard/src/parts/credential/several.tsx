import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './credential.module.css';

const atFirst = 3;

/** Names in a row, separated by commas. Of many, the first few and a button that shows the rest. */
export function Several({
  names,
  what,
}: {
  readonly names: readonly string[];
  /** Of what, in the plural: `addresses of shop`. */
  readonly what: string;
}): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const rest = names.length - atFirst;
  if (isWhole || rest <= 1) return names.join(', ');
  return (
    <>
      {names.slice(0, atFirst).join(', ')}{' '}
      <UnstyledButton className={classes.rest} onClick={() => setWhole(true)}>
        and {rest} more<VisuallyHidden> {what}</VisuallyHidden>
      </UnstyledButton>
    </>
  );
}
