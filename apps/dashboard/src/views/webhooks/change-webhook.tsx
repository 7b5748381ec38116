import { Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Webhook } from '../../api/schema.ts';
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
    <Modal opened onClose={onClose} title="Edit webhook">
      <Text size="sm" c="dimmed" mb="md">
        Changing the URL resets the failure count. Pending events go to the new URL.
      </Text>
      <WebhookForm
        initial={{ url, events, description: description ?? '' }}
        submit="Save"
        send={send}
        onCancel={onClose}
      />
    </Modal>
  );
}
