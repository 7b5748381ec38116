import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { CreatedWebhook } from '../../api/schema.ts';
import { eventKinds } from './event-kinds.ts';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

const empty: WebhookFields = { url: '', description: '', events: eventKinds.map(({ name }) => name) };

/** Asks for the fields of a new webhook, and creates it. */
export function CreateWebhook({
  opened,
  onClose,
  onCreated,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedWebhook) => void;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a webhook">
      <Create
        onClose={onClose}
        onCreated={(created) => {
          onClose();
          onCreated(created);
        }}
      />
    </Modal>
  );
}

function Create({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedWebhook) => void;
}): ReactNode {
  const create = useChange('post /v1/webhooks', { refresh: ['get /v1/webhooks'] });
  const send = async ({ url, description, events }: WebhookFields): Promise<void> =>
    onCreated(await create.mutateAsync({ body: { url, description, events } }));
  return <WebhookForm initial={empty} submit="Add" send={send} onCancel={onClose} />;
}
