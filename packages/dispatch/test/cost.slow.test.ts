import { acceptMessages } from '@notify/db/messages';
import { createLog } from '@notify/runtime';
import {
  type Budget,
  demandBudget,
  makeWebhook,
  openCostCounter,
  settleTogether,
  testDatabase,
  testWith,
  textItem,
} from '@notify/testkit';
import { createReceipts } from '../src/receipts.ts';
import { createMessageSettler } from '../src/settle.ts';
import { createWebhookWaker } from '../src/wake-webhooks.ts';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

/** As many as the provider takes at once, so that one claim finds them all. */
const messages = 20;

const budget: Budget = {
  // Claims, settles, and looks for receipts that came before the provider's IDs were known. Wakes the webhook once. A timer for the
  // deadline of each call, and one for the wake.
  'a turn of 20 messages': { statements: 3, roundTrips: 3, wakes: 1, redisCommands: 12, timers: 21 },
};

testWith('redis-server')(
  'a turn of 20 messages that the provider accepts costs exactly what its budget says',
  async () => {
    await using database = await testDatabase();
    await using counter = await openCostCounter();
    const { db } = database;
    const tenant = await scriptedTenant(db, testSecrets);
    await makeWebhook(db, tenant.tenantId);
    const log = createLog({ logLevel: 'silent' }, 'test');
    const wakeWebhooks = createWebhookWaker(counter.waker, log);

    async function send(): Promise<void> {
      const items = Array.from({ length: messages }, () => textItem(tenant));
      await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
    }

    async function turn(): Promise<void> {
      const stopping = new AbortController();
      const provider = scripted((_, count) => ({ kind: 'accepted', externalId: `ext-${count}` }), {
        maxInFlight: messages,
      });
      const deps = testDeps(db, provider, { maxInFlightOf: new Map([[tenant.accountId, messages]]) });
      const receipts = createReceipts({ ...deps, db, wakeWebhooks });
      const settler = createMessageSettler({ ...deps, db, wakeWebhooks, receipts });
      // The turn does not look again: how often it would is the machine's business.
      const settle = settleTogether(settler, messages, () => stopping.abort());
      await dispatchTurn(tenant.accountId, { ...deps, settle, wakeWebhooks }, stopping.signal);
      receipts.close();
      expect([provider.ledger.length, deps.errors]).toEqual([messages, []]);
    }

    demandBudget(budget, { 'a turn of 20 messages': await counter.of(send, turn) });
  },
);
