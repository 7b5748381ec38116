import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';

/** Asks before a webhook is disabled, and says what happens to waiting deliveries. */
export function DisableWebhook({
  webhook: { id, waiting },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const disable = useChange('patch /v1/webhooks/{id}/disable', {
    refresh: ['get /v1/webhooks', 'get /v1/webhooks/{id}', 'get /v1/webhooks/{id}/deliveries'],
  });
  return (
    <ConfirmDialog
      opened
      title="Disable this webhook?"
      confirm="Disable"
      isDangerous={false}
      isBusy={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate({ path: { id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        The webhook receives no events until you enable it again.
        {waiting > 0 && ' Pending events are skipped.'} You can replay missed events for 30 days.
      </Text>
    </ConfirmDialog>
  );
}
