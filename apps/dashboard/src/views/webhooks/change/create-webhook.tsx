import type { CreatedWebhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx';
import { messageEvents } from '../event-kinds.ts';
import { filtersOf } from '../filters.ts';
import { packingOf, packingValues } from '../packing.ts';
import type { WebhookFields } from './webhook-fields.ts';
import { WebhookForm } from './webhook-form.tsx';

const empty: WebhookFields = {
  url: '',
  description: '',
  events: messageEvents.map(({ name }) => name),
  channelAccountIds: [],
  channels: [],
  tags: [],
  delivery: packingValues({ mode: 'single' }),
};

/** Asks for the fields of a new webhook, and creates it. Mounted only while it is open. */
export function CreateWebhook({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedWebhook) => void;
}): ReactNode {
  const create = useChange('post /v1/webhooks', { refresh: ['get /v1/webhooks'] });
  const send = async ({ url, description, events, delivery, ...filters }: WebhookFields): Promise<void> => {
    const created = await create.mutateAsync({
      body: { url, description, events, delivery: packingOf(delivery), ...filtersOf(filters) },
    });
    onClose();
    onCreated(created);
  };
  return (
    <FormDialog title="Add a webhook" onClose={onClose}>
      {(cancel) => <WebhookForm id={null} initial={empty} submit="Add" send={send} onCancel={cancel} />}
    </FormDialog>
  );
}
