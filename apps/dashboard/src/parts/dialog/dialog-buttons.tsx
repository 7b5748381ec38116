import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogFoot } from './dialog-foot.tsx';

/** The buttons at the foot of a dialog with a form: cancel and submit. */
export function DialogButtons({
  submit,
  isBusy,
  onCancel,
}: {
  /** The label of the submit button, a verb. */
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}): ReactNode {
  return (
    <DialogFoot>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        {submit}
      </Button>
    </DialogFoot>
  );
}
