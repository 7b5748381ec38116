import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Webhook } from '../../api/schema.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';

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
      <SecretDialog title="The new secret" secret={data.secret} what="secret" onDone={onClose}>
        <Text size="sm">
          Give it to your receiver. Until <Time at={data.previousSecretUntil} /> everything is signed with the
          previous secret too, and one signature that matches is enough.
        </Text>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      title="Rotate the secret?"
      confirm="Make a new secret"
      isDangerous={false}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate({ path: { id } })}
      onClose={onClose}
    >
      <Text size="sm">
        The webhook gets a new secret. For 24 hours the present one signs too, so that your receiver can be
        changed without a gap.
      </Text>
    </ConfirmDialog>
  );
}
