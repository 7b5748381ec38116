import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

/** Changes a webhook's URL, events and description. Mounted only while it is open. */
export function ChangeWebhook({
  webhook: { id, url, events, description },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const change = useChange('patch /v1/webhooks/{id}', {
    refresh: ['get /v1/webhooks', 'get /v1/webhooks/{id}'],
  });
  const send = async (body: WebhookFields): Promise<void> => {
    await change.mutateAsync({ path: { id }, body });
    onClose();
  };
  return (
    <FormDialog title="Edit webhook" onClose={onClose}>
      {(cancel) => (
        <>
          <Text size="sm" c="dimmed" mb="md">
            Changing the URL resets the failure count. Pending events go to the new URL.
          </Text>
          <WebhookForm
            id={id}
            initial={{ url, events, description: description ?? '' }}
            submit="Save"
            send={send}
            onCancel={cancel}
          />
        </>
      )}
    </FormDialog>
  );
}
