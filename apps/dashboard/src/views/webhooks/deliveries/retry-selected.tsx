import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { giveFocusBack } from '../../../parts/dialog/focus-return.ts';
import { SelectionBar } from '../../../parts/list/selection-bar.tsx';
import type { Selection } from '../../../parts/list/use-selection.ts';
import { type Delivery, idToRetry } from './delivery.ts';

/** Posts the selected deliveries again, one after the other, and says how many could not be. */
export function RetrySelected({
  webhookId,
  items,
  selection,
}: {
  readonly webhookId: string;
  /** The list, which has the selected ones. */
  readonly items: readonly Delivery[];
  readonly selection: Selection;
}): ReactNode {
  const retry = useChange('post /v1/webhooks/{id}/deliveries/{deliveryId}/retry', {
    refresh: ['get /v1/webhooks/{id}', 'get /v1/webhooks/{id}/deliveries'],
  });
  const [isBusy, setBusy] = useState(false);
  const ids = [...selection.ids];
  const packOf = new Map(items.map((one) => [one.id, idToRetry(one)]));
  async function retryAll(): Promise<void> {
    setBusy(true);
    const refused: string[] = [];
    let why = '';
    for (const deliveryId of ids)
      await retry
        .mutateAsync({ path: { id: webhookId, deliveryId: packOf.get(deliveryId) ?? deliveryId } })
        .catch((error: Error) => {
          refused.push(deliveryId);
          why = error.message;
        });
    setBusy(false);
    // Those that failed stay selected.
    selection.replace(refused);
    giveFocusBack(null);
    const count = ids.length - refused.length;
    if (count > 0) notifications.show({ message: `Retrying ${deliveries(count)}.` });
    if (refused.length > 0)
      notifications.show({
        color: 'red',
        title: `Could not retry ${deliveries(refused.length)}`,
        message: why,
      });
  }
  return (
    <SelectionBar selection={selection}>
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void retryAll()}>
        Retry selected
      </Button>
    </SelectionBar>
  );
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}
