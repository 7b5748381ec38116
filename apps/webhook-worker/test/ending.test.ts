import { randomBytes } from 'node:crypto';
import { createHttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { addDeliveries, makeTenant, startReceiver, testDatabase, webhookRow } from '@notify/testkit';
import { createDeadlines } from '@notify/turns';
import { sql } from 'kysely';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

test('a post that is unanswered when the process has no more time counts for nothing, and is posted again at once', async () => {
  await using test = await testDatabase();
  await using receiver = await startReceiver();
  const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
  const { tenantId } = await makeTenant(test.db);
  const { id } = await makeSealedWebhook(test.db, secrets, tenantId, receiver.url);
  await addDeliveries(test.db, id, 1);

  receiver.behave({ hang: true });
  const stopping = new AbortController();
  const deadlines = createDeadlines();
  const deps = turnDeps({ db: test.db, http, secrets });
  const turn = webhookTurn(id, deps, { stopping: stopping.signal, deadlines });
  const cut = await receiver.next();
  stopping.abort();
  deadlines.endAll();
  await turn;
  const { rows: left } = await sql`
    select attempts, claimed_by, due_at <= now() as due from delivery_due`.execute(test.db);
  expect(left).toEqual([{ attempts: 0, claimed_by: null, due: true }]);
  expect(await webhookRow(test.db, id)).toMatchObject({ failure_count: 0, lane: 'fast' });

  receiver.behave({ status: 200 });
  await webhookTurn(id, deps);
  const again = await receiver.next();
  expect(again.headers['webhook-id']).toBe(cut.headers['webhook-id']);
  await http.close();
});
