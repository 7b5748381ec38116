import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from '../parts.module.css';

/** Code to copy, such as a curl command. Long lines are wrapped, so that nothing is hidden. */
export function CodeLine({
  code,
  what = 'Command',
  label = 'Copy the command',
  focusCopy = false,
}: {
  readonly code: string;
  readonly what?: string;
  readonly label?: string;
  /** In a dialog: the copy button gets the focus. */
  readonly focusCopy?: boolean;
}): ReactNode {
  return (
    <div className={classes.codeLine}>
      <pre role="group" aria-label={what}>
        {code}
      </pre>
      <CopyButton text={code} label={label} focus={focusCopy} />
    </div>
  );
}
