import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as read } from 'node:stream/consumers';
import {
  type Budget,
  type Cost,
  demandBudget,
  makeWebhook,
  openCostCounter,
  startHttpServer,
  testWith,
  textItem,
} from '@notify/testkit';
import { accept } from '../src/sending/accept.ts';
import { messagingApp } from './messaging-app.ts';

// The key, the tenant's limits and its backlog are in memory. So each is one statement that commits, and a wake of the account and of
// the webhook with a timer each.
const one = { statements: 1, roundTrips: 1, wakes: 2, redisCommands: 24, timers: 2 };
const budget: Budget = { 'a send': one, 'a bulk call of 20': one, '20 sends in one group': one };

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Posts on one connection. */
async function post(url: string, key: string, body: object): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const asked = request(url, { method: 'POST', agent, headers });
  asked.end(JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const said = await read(answer);
  if (answer.statusCode !== 202) throw new Error(`${answer.statusCode}: ${said}`);
}

testWith('redis-server')('what the api does for sends costs exactly what its budget says', async () => {
  await using counter = await openCostCounter();
  await using service = await messagingApp({}, [], counter.waker);
  const server = await startHttpServer(service.app);
  const caller = await service.tenant();
  await makeWebhook(service.db, caller.tenantId);
  const at = `${server.url}/v1/notify/sms`;
  const single = { to: '+15550001000', text: 'hello' };
  // Also before each run, so that what happens once in a second or in 5 has just happened.
  const send = (): Promise<void> => post(`${at}/text`, caller.key, single);
  const bulk = {
    messages: Array.from({ length: 20 }, (_, index) => ({ ...single, to: `+155500010${10 + index}` })),
  };
  const tenant = { tenantId: caller.tenantId, keyId: caller.keyId, accountId: '' };
  const together = async (): Promise<void> => {
    const items = Array.from({ length: 20 }, () => textItem(tenant));
    const results = await Promise.all(items.map((item) => accept(service.parts.acceptor, [item], null)));
    expect(results.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(20);
  };
  const costs: Record<string, Cost> = {
    'a send': await counter.of(send, send),
    'a bulk call of 20': await counter.of(send, () => post(`${at}/bulk`, caller.key, bulk)),
    '20 sends in one group': await counter.of(send, together),
  };
  agent.destroy();
  server.close();
  demandBudget(budget, costs);
});
