import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import type { Wake } from '@notify/db/messages';
import { joinReceipts, type NewReceipt, storeReceipts } from '@notify/db/receipts';
import { messagesSentAs } from '@notify/db/whatsapp';
import type { Log } from '@notify/runtime';
import { createBatcher } from '@notify/turns';
import type { Report } from './socket.ts';

const maxItems = 200;

interface Reported extends Report {
  readonly accountId: string;
}

/**
 * Stores what recipients' phones report, and joins it to its messages, many accounts at once. A message is named by our
 * own id where it is kept with WhatsApp's, which is before the server's answer to it is settled. WhatsApp tells each report
 * once, so it waits for a database that is away. One that was stored and could not be joined is left to the sweeper.
 */
export function createReporter(
  db: Db,
  log: Log,
  wakeWebhooks: (webhooks: readonly Wake[]) => void,
): (accountId: string, reports: readonly Report[]) => void {
  const batcher = createBatcher<Reported, void>({
    maxItems,
    run: async (reports) => {
      const messageIds = await messagesSentAs(db, reports);
      const receipts = reports.map((report, index) => toReceipt(report, messageIds[index] ?? null));
      await join(await storeReceipts(db, receipts));
      return reports.map(() => undefined);
    },
  });

  async function join(ids: readonly string[]): Promise<void> {
    try {
      const { webhooks } = await joinReceipts(db, { kind: 'ids', ids });
      wakeWebhooks(webhooks);
    } catch (error) {
      log.warn({ err: error }, 'receipts left to the sweeper');
    }
  }

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
