import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import type { NewReceipt } from '@notify/db/receipts';
import { messagesSentAs } from '@notify/db/whatsapp';
import type { Receipts } from '@notify/dispatch';
import type { Log } from '@notify/runtime';
import { createBatcher } from '@notify/turns';
import type { Report } from './reports.ts';

const maxItems = 200;

interface Reported extends Report {
  readonly accountId: string;
}

/**
 * Stores the delivery receipts of many accounts' recipients in batches. A receipt is matched by our own id once that is
 * stored with WhatsApp's, which happens before the server's answer is settled. WhatsApp sends each receipt once, so
 * this waits while the database is away.
 */
export function createReporter(
  db: Db,
  log: Log,
  receipts: Pick<Receipts, 'store'>,
): (accountId: string, reports: readonly Report[]) => void {
  const batcher = createBatcher<Reported, void>({
    maxItems,
    run: async (reports) => {
      const messageIds = await messagesSentAs(db, reports);
      await receipts.store(reports.map((report, index) => toReceipt(report, messageIds[index] ?? null)));
      return reports.map(() => undefined);
    },
  });

  function tell(accountId: string, what: string) {
    return (error: unknown): void => log.warn({ err: error, accountId }, what);
  }

  return (accountId, reports) => {
    for (const report of reports) {
      const stored = whenDatabaseIsBack(
        () => batcher.add({ ...report, accountId }),
        tell(accountId, 'a receipt waits for the database'),
      );
      stored.catch(tell(accountId, 'a receipt was not stored'));
    }
  };
}

function toReceipt({ id, ...report }: Reported, messageId: string | null): NewReceipt {
  return { ...report, messageId, externalId: id, part: null };
}
