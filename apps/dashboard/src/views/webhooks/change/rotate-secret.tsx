import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx';
import { SecretDialog } from '../../../parts/dialog/secret-dialog.tsx';
import { Time } from '../../../parts/time/time.tsx';

/** Asks before a webhook gets a new secret, and shows it. */
export function RotateSecret({
  webhook: { id },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const { mutate, data, isPending, error } = useChange('post /v1/webhooks/{id}/rotate-secret', {
    refresh: ['get /v1/webhooks/{id}'],
  });
  if (data !== undefined) {
    return (
      <SecretDialog title="New signing secret" secret={data.secret} what="secret" onDone={onClose}>
        <Text size="sm">
          Configure it on your endpoint. Until <Time at={data.previousSecretUntil} />, requests are signed
          with the previous secret as well. One matching signature is enough.
        </Text>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      title="Rotate the secret?"
      confirm="Rotate secret"
      isDangerous={false}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate({ path: { id } })}
      onClose={onClose}
    >
      <Text size="sm">
        Notify creates a new secret. Requests are signed with both secrets for 24 hours, so you can update
        your endpoint without downtime.
      </Text>
    </ConfirmDialog>
  );
}
