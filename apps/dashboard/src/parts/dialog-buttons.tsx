import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** At the foot of a dialog with a form: the way back, and the button that sends it. */
export function DialogButtons({
  submit,
  isBusy,
  onCancel,
}: {
  /** The button's words, a verb. */
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}): ReactNode {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        {submit}
      </Button>
    </Group>
  );
}
