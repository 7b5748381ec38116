import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Delivery } from './delivery.ts';

/** The state of a delivery as a badge. Says if the delivery waits for another attempt. */
export function DeliveryState({
  delivery: { state, attempts },
}: {
  readonly delivery: Pick<Delivery, 'state' | 'attempts'>;
}): ReactNode {
  switch (state) {
    case 'delivered':
      return <StatusBadge tone="good">Delivered</StatusBadge>;
    case 'failed':
      return <StatusBadge tone="bad">Failed</StatusBadge>;
    case 'skipped':
      return <StatusBadge tone="idle">Skipped</StatusBadge>;
    case 'waiting':
      return attempts.length === 0 ? (
        <StatusBadge tone="waiting">Pending</StatusBadge>
      ) : (
        <StatusBadge tone="attention">Retrying</StatusBadge>
      );
  }
}
