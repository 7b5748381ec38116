import type { Pdu } from '../pdu/pdu.ts';
import { statuses } from '../statuses/codes.ts';
import type { Delivery } from '../text/incoming.ts';

export type DeliveryPdu = Pdu<'deliver_sm' | 'data_sm'>;

export interface DeliveriesOptions {
  /** Stores one message or receipt. The peer gets its answer after that. */
  readonly handle: (delivery: Delivery) => Promise<void>;
  /** Handled at once. */
  readonly most: number;
  /** Deliveries that may wait for their turn. */
  readonly mostWaiting: number;
  readonly answer: (delivery: DeliveryPdu, status: number) => void;
  readonly onError: (error: unknown) => void;
}

/** The messages and receipts that a peer delivers. */
export interface Deliveries {
  /** Nothing is handled before. */
  open(): void;
  take(delivery: DeliveryPdu): void;
  /** Being handled, or waiting. */
  count(): number;
}

/**
 * Hands deliveries on, a bounded number at once, and answers each after its handler: success, or a temporary error if it rejects or too
 * many wait. The peer then delivers it again.
 */
export function createDeliveries(options: DeliveriesOptions, onIdle: () => void): Deliveries {
  const waiting: DeliveryPdu[] = [];
  let running = 0;
  let isOpen = false;

  async function handle(delivery: DeliveryPdu): Promise<void> {
    try {
      await options.handle(delivery);
      options.answer(delivery, statuses.ESME_ROK);
    } catch (error) {
      options.onError(error);
      options.answer(delivery, statuses.ESME_RX_T_APPN);
    }
    running -= 1;
    next();
    if (running === 0) onIdle();
  }

  function next(): void {
    while (isOpen && running < options.most && waiting.length > 0) {
      running += 1;
      void handle(waiting.shift()!);
    }
  }

  return {
    open() {
      isOpen = true;
      next();
    },
    take(delivery) {
      if (waiting.length >= options.mostWaiting) return options.answer(delivery, statuses.ESME_RX_T_APPN);
      waiting.push(delivery);
      next();
    },
    count: () => running + waiting.length,
  };
}
