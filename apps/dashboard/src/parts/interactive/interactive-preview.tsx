import type { ReactNode } from 'react';
import type { Appearance } from './appearance.ts';
import { InteractiveBody } from './interactive-body.tsx';
import classes from './interactive.module.css';
import { Phone } from '../phone/phone.tsx';

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
    <Phone label={label} bubble={classes.bubble}>
      <InteractiveBody appearance={appearance} isMarked={channel === 'whatsapp'} />
    </Phone>
  );
}
