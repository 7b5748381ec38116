import type { ReactNode } from 'react';
import type { Appearance } from './appearance.ts';
import { InteractiveBody } from './interactive-body.tsx';
import classes from './interactive.module.css';

/** Buttons or a list on the recipient's phone. */
export function InteractivePreview({
  appearance,
  channel,
  label,
}: {
  readonly appearance: Appearance;
  /** On `whatsapp` marks such as `*bold*` are drawn. */
  readonly channel: string;
  readonly label: string;
}): ReactNode {
  return (
    <div role="group" aria-label={label} className={classes.phone}>
      <div className={classes.bubble}>
        <InteractiveBody appearance={appearance} isMarked={channel === 'whatsapp'} />
      </div>
    </div>
  );
}
