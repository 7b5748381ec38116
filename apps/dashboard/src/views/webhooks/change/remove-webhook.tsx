import { notifications } from '@mantine/notifications';
import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../../api/hooks.ts';
import { keyOf } from '../../../api/query-key.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';

/** Asks before a webhook is removed, and names the data that goes with it. */
export function RemoveWebhook({
  webhook: { id, url, waiting },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useChange('delete /v1/webhooks/{id}', { refresh: ['get /v1/webhooks'] });
  const confirm = (): void =>
    remove.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          notifications.show({ message: 'Webhook removed.' });
          void Promise.resolve(navigate('/webhooks')).then(() =>
            client.removeQueries({ queryKey: keyOf('get /v1/webhooks/{id}', { path: { id } }) }),
          );
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title="Remove this webhook?"
      confirm="Remove webhook"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {url} receives no more events{waiting > 0 && ', pending events are dropped'}, and its delivery log is
        deleted. This cannot be undone. To pause the webhook, disable it instead.
      </Text>
    </ConfirmDialog>
  );
}
