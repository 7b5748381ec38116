import { notifications } from '@mantine/notifications';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { ApiKey } from '../../api/schema.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Time } from '../../parts/time.tsx';

/** Asks before a key is revoked and explains the consequences. */
export function RevokeKey({
  apiKey: { id, name, lastUsedAt },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactNode {
  const revoke = useChange('delete /tenant/api-keys/{id}', { refresh: ['get /tenant/api-keys'] });
  const confirm = (): void =>
    revoke.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          notifications.show({ message: `Key “${name}” revoked.` });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${name}”?`}
      confirm="Revoke key"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        The key stops working immediately. Requests that use it are rejected with 401. This cannot be undone.
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        Last used: <Time at={lastUsedAt} since never="never" />
      </Text>
    </ConfirmDialog>
  );
}
