import { randomBytes } from 'node:crypto';
import { createHttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { addDeliveries, makeTenant, startReceiver, testDatabase, webhookRow } from '@notify/testkit';
import { sql } from 'kysely';
import { webhookTurn } from '../src/turn.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps } from './turn-deps.ts';

test('a post that is unanswered when the process has no more time counts for nothing, and is posted again at once', async () => {
  await using test = await testDatabase();
  await using receiver = await startReceiver();
  const openPosts = () =>
    createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
  const { tenantId } = await makeTenant(test.db);
  const { id } = await makeSealedWebhook(test.db, secrets, tenantId, receiver.url);
  await addDeliveries(test.db, id, 1);
  const ending = openPosts();

  receiver.behave({ hang: true });
  const stopping = new AbortController();
  const turn = webhookTurn(id, turnDeps({ db: test.db, http: ending, secrets }), stopping.signal);
  const cut = await receiver.next();
  stopping.abort();
  await ending.close();
  await turn;
  const { rows: left } = await sql`
    select attempts, claimed_by, due_at <= now() as due from delivery_due`.execute(test.db);
  expect(left).toEqual([{ attempts: 0, claimed_by: null, due: true }]);
  expect(await webhookRow(test.db, id)).toMatchObject({ failure_count: 0, lane: 'fast' });

  receiver.behave({ status: 200 });
  const http = openPosts();
  await webhookTurn(id, turnDeps({ db: test.db, http, secrets }), new AbortController().signal);
  const again = await receiver.next();
  expect(again.headers['webhook-id']).toBe(cut.headers['webhook-id']);
  await http.close();
});
