import type { ReactNode } from 'react';
import classes from './phone.module.css';

/** A message in its bubble on the recipient's phone. */
export function Phone({
  label,
  bubble = '',
  children,
}: {
  readonly label: string;
  /** A further class of the bubble. */
  readonly bubble?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div role="group" aria-label={label} className={classes.phone}>
      <div className={`${classes.bubble} ${bubble}`}>{children}</div>
    </div>
  );
}
