import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Webhook } from '../../api/schema.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';

/** Asks before a webhook is switched off, and says what becomes of what waits. */
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
      confirm="Disable it"
      isDangerous={false}
      isBusy={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate({ path: { id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        It gets no events until you enable it again.{waiting > 0 && ' What waits for it now is skipped.'} A
        replay can bring what it missed within the last 30 days.
      </Text>
    </ConfirmDialog>
  );
}
