import type { ReactNode } from 'react';
import type { IconProps } from '../icons.tsx';
import classes from './phone.module.css';

/** What stands on a button of a message. It is drawn only: nothing happens when it is pressed. */
export function ButtonLabel({
  Icon,
  children,
}: {
  readonly Icon?: (props: IconProps) => ReactNode;
  readonly children: string;
}): ReactNode {
  return (
    <span className={classes.label}>
      {Icon !== undefined && <Icon size={14} />}
      {children}
    </span>
  );
}
