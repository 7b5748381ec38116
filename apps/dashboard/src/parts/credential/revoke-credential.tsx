import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { Time } from '../time/time.tsx';

/** Asks before a credential is revoked and explains the consequences. Mounted only while it is open. */
export function RevokeCredential({
  what,
  credential: { name, lastUsedAt },
  isBusy,
  error,
  revoke,
  onClose,
}: {
  readonly what: 'key' | 'token';
  readonly credential: { readonly name: string; readonly lastUsedAt: string | null };
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Revokes it, then calls `onRevoked`. */
  readonly revoke: (onRevoked: () => void) => void;
  readonly onClose: () => void;
}): ReactNode {
  const tell = (): void => {
    notifications.show({ message: `${what === 'key' ? 'Key' : 'Token'} “${name}” revoked.` });
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${name}”?`}
      confirm={`Revoke ${what}`}
      isBusy={isBusy}
      error={error}
      onConfirm={() => revoke(tell)}
      onClose={onClose}
    >
      <Text size="sm">
        The {what} stops working immediately. Requests that use it are rejected with 401. This cannot be
        undone.
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        Last used: <Time at={lastUsedAt} since never="never" />
      </Text>
    </ConfirmDialog>
  );
}
