import { randomBytes } from 'node:crypto';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { addDeliveries, makeTenant, startReceiver, testDatabase } from '@notify/testkit';
import { createPermits } from '@notify/turns';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

test('a post that hangs gives its permit of the fast lane to others while it still runs', async () => {
  await using stack = new AsyncDisposableStack();
  const { db } = stack.use(await testDatabase());
  const receiver = await startReceiver();
  receiver.behave({ hang: true });
  const client = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1', httpsOnly: true });
  let ended = 0;
  const http: HttpClient = {
    ...client,
    request: (request) => client.request(request).finally(() => (ended += 1)),
  };
  const { tenantId } = await makeTenant(db);
  const { id } = await makeSealedWebhook(db, secrets, tenantId, receiver.url);
  await addDeliveries(db, id, 1);
  const permits = createPermits(1);
  const turn = webhookTurn(id, turnDeps({ db, http, secrets }), { permits });
  await receiver.atLeast(1);
  const release = await permits.acquire();
  expect(ended).toBe(0);
  release();
  await receiver.close();
  await turn;
  await http.close();
});
