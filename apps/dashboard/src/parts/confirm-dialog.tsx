import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { WarningIcon } from './icons.tsx';

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
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        {error !== null && (
          <Alert color="red" icon={<WarningIcon />} role="alert">
            {error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancel}
          </Button>
          <Button {...(isDangerous ? { color: 'red.9' } : {})} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
