import { randomBytes } from 'node:crypto';
import { mostAtOnce } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import { createLog, createSecrets } from '@notify/runtime';
import {
  addDeliveries,
  type Budget,
  demandBudget,
  makeTenant,
  openCostCounter,
  settleTogether,
  startReceiver,
  testDatabase,
  testWith,
} from '@notify/testkit';
import { createDeliverySettler } from '../src/settle.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

const budget: Budget = {
  // Claims and settles. A timer for the deadline of each post, and one that gives its permit back when it hangs.
  'a turn of 8 deliveries': { statements: 2, roundTrips: 2, wakes: 0, redisCommands: 0, timers: 16 },
};

testWith('redis-server')(
  'a turn of 8 deliveries that the receiver takes costs exactly what its budget says',
  async () => {
    await using database = await testDatabase();
    await using receiver = await startReceiver();
    await using counter = await openCostCounter();
    const { db } = database;
    const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
    const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1', httpsOnly: true });
    const { tenantId } = await makeTenant(db);
    const log = createLog({ logLevel: 'silent' }, 'test');

    /** A new webhook: one whose posts were slow, as on a busy machine, would go to the slow lane. */
    async function due(): Promise<string> {
      const { id } = await makeSealedWebhook(db, secrets, tenantId, receiver.url);
      await addDeliveries(db, id, mostAtOnce);
      return id;
    }

    async function turn(id: string): Promise<void> {
      const before = receiver.received.length;
      const stopping = new AbortController();
      // The turn does not look again: how often it would is the machine's business.
      const settle = settleTogether(createDeliverySettler(db, log), mostAtOnce, () => stopping.abort());
      await webhookTurn(id, turnDeps({ db, http, secrets }, { settle }), { stopping: stopping.signal });
      expect(receiver.received.length - before).toBe(mostAtOnce);
    }

    try {
      demandBudget(budget, { 'a turn of 8 deliveries': await counter.of(due, turn) });
    } finally {
      await http.close();
    }
  },
);
