import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';
import { WarningIcon } from '../icons.tsx';

/** Asks before an action that cannot be undone. Its text describes the consequences. */
export function ConfirmDialog({
  opened,
  title,
  confirm,
  cancel = 'Cancel',
  isBusy = false,
  isDangerous = true,
  error = null,
  onConfirm,
  onClose,
  children,
}: {
  readonly opened: boolean;
  /** A question: `Remove this account?` */
  readonly title: string;
  /** The label of the confirm button, a verb: `Remove the account`. */
  readonly confirm: string;
  /** The label of the cancel button. */
  readonly cancel?: string;
  readonly isBusy?: boolean;
  readonly isDangerous?: boolean;
  /** Why the action failed. */
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  if (!opened) return null;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        {error !== null && (
          <Alert color="red" icon={<WarningIcon />} role="alert">
            {error.message}
          </Alert>
        )}
        <DialogFoot>
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancel}
          </Button>
          <Button {...(isDangerous ? { color: 'red.9' } : {})} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  );
}
