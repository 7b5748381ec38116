import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './parts.module.css';

/** Code to copy, such as a curl command. Long lines scroll. */
export function CodeLine({
  code,
  label = 'Copy the command',
}: {
  readonly code: string;
  readonly label?: string;
}): ReactNode {
  return (
    <div className={classes.codeLine}>
      {/* Scrollable, so it must be reachable with the keyboard. */}
      <pre tabIndex={0} aria-label="Command">
        {code}
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
