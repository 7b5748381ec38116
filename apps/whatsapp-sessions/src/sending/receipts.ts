import { createBatcher } from '@notify/batching';
import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import type { NewReceipt } from '@notify/db/receipts';
import { messagesSentAs } from '@notify/db/whatsapp';
import type { Receipts } from '@notify/dispatch';
import type { Log } from '@notify/runtime';
import type { DeviceReceipt } from './message-updates.ts';

const maxItems = 200;

interface AccountReceipt extends DeviceReceipt {
  readonly accountId: string;
}

/**
 * Stores the delivery receipts of many accounts' recipients in batches. A receipt is matched by our own id once that is
 * stored with WhatsApp's, which happens before the server's answer is settled. WhatsApp sends each receipt once, so
 * this waits while the database is away.
 */
export function createReceiptWriter(
  db: Db,
  log: Log,
  receipts: Pick<Receipts, 'store'>,
): (accountId: string, received: readonly DeviceReceipt[]) => void {
  const batcher = createBatcher<AccountReceipt, void>({
    maxItems,
    run: async (received) => {
      const messageIds = await messagesSentAs(db, received);
      await receipts.store(received.map((receipt, index) => toReceipt(receipt, messageIds[index] ?? null)));
      return received.map(() => undefined);
    },
  });

  function tell(accountId: string, event: 'receipt-waits' | 'receipt-not-stored') {
    return (error: unknown): void => log.tell(event, { err: error, accountId });
  }

  return (accountId, received) => {
    for (const receipt of received) {
      const stored = whenDatabaseIsBack(
        () => batcher.add({ ...receipt, accountId }),
        tell(accountId, 'receipt-waits'),
      );
      stored.catch(tell(accountId, 'receipt-not-stored'));
    }
  };
}

function toReceipt({ id, ...receipt }: AccountReceipt, messageId: string | null): NewReceipt {
  return { ...receipt, messageId, externalId: id, part: null };
}
