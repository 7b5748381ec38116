import { Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx';
import { changedFilters, filtersOf, filterValues } from '../filters.ts';
import { packingOf, packingValues } from '../packing.ts';
import type { WebhookFields } from './webhook-fields.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Changes a webhook's URL, events, filters, packs and description. Mounted only while it is open. */
export function ChangeWebhook({
  webhook: { id, url, events, description, delivery, ...before },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactNode {
  const change = useChange('patch /v1/webhooks/{id}', {
    refresh: ['get /v1/webhooks', 'get /v1/webhooks/{id}'],
  });
  const send = async ({ url, events, description, delivery, ...values }: WebhookFields): Promise<void> => {
    const body = {
      url,
      events,
      description,
      delivery: packingOf(delivery),
      ...changedFilters(filtersOf(values), filtersOf(filterValues(before))),
    };
    await change.mutateAsync({ path: { id }, body });
    onClose();
  };
  return (
    <FormDialog title="Edit webhook" onClose={onClose}>
      {(cancel) => (
        <>
          <Text size="sm" c="dimmed" mb="md">
            Changing the URL resets the failure count. Pending events go to the new URL, or by new packs if
            you change those.
          </Text>
          <WebhookForm
            id={id}
            initial={{
              url,
              events,
              description: description ?? '',
              delivery: packingValues(delivery),
              ...filterValues(before),
            }}
            submit="Save"
            send={send}
            onCancel={cancel}
          />
        </>
      )}
    </FormDialog>
  );
}
