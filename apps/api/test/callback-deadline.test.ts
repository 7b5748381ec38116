import { gatewayProtocols } from '@notify/testkit';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import type { Later } from '../src/callbacks/answer-in-time.ts';
import type { Parts } from '../src/parts.ts';
import { messagingApp, type MessagingApp } from './messaging-app.ts';

const { telnyx } = gatewayProtocols;
const message = { to: '+491511234567', from: null, text: 'Hi', reference: null } as const;
const sent = { ...message, reportUrl: null, lifetimeSeconds: null };

let service: MessagingApp;
let path: string;
beforeAll(async () => {
  service = await messagingApp();
  const caller = await service.tenant();
  const settings = telnyx.settings('https://gw.example');
  const account = { provider: 'http-sms', name: 'Telnyx', settings, verify: false };
  const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
  path = new URL(body.callbackUrl).pathname;
});
afterAll(() => service[Symbol.asyncDispose]());

/** A clock that the test moves: it holds the timers that were set. */
function ourClock() {
  const timers = new Map<() => void, number>();
  const later: Later = (run, ms) => {
    timers.set(run, ms);
    return () => void timers.delete(run);
  };
  return { later, timers };
}

/** A step of the database that ends when the test says so. `reached` resolves when it begins. */
function heldStep() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async (): Promise<void> => {
    reached.resolve();
    await released.promise;
  };
  return { hold, reached: reached.promise, release: released.resolve };
}

const post = (parts: Parts, id: string) => {
  const body = JSON.stringify(telnyx.report(sent, id, 'delivered').document);
  const call = request(createApp(parts)).post(path).type('json').set(telnyx.sign('', body));
  return call.send(body).then((answer) => answer);
};

/** A clock on which no time passes. */
const never: Later = () => () => undefined;
const unhurried = (): Parts => ({ ...service.parts, later: never });

const idsOf = () => service.received.flatMap(({ receipts }) => receipts.map(({ externalId }) => externalId));

const slowSteps: readonly [string, (hold: () => Promise<void>) => Partial<Parts>][] = [
  [
    'the look-up of the account',
    (hold) => {
      const { callbackAccounts } = service.parts;
      const add: typeof callbackAccounts.add = async (address) => {
        await hold();
        return callbackAccounts.add(address);
      };
      return { callbackAccounts: { ...callbackAccounts, add } };
    },
  ],
  [
    'the commit of the receipt',
    (hold) => {
      const { receive } = service.parts;
      return {
        receive: async (account, receipts) => {
          await hold();
          await receive(account, receipts);
        },
      };
    },
  ],
];

test.each(slowSteps)(
  'while %s takes long, Telnyx gets 503 within 2 s, and nothing is lost',
  async (step, slowed) => {
    const [{ later, timers }, { hold, reached, release }] = [ourClock(), heldStep()];
    const answering = post({ ...service.parts, ...slowed(hold), later }, step);
    await reached;
    const [[timeIsUp, ms]] = [...timers] as [[() => void, number]];
    expect(ms).toBeLessThan(2_000);
    timeIsUp();
    const { status, headers, body } = await answering;
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
    expect(headers['retry-after']).toBe('1');
    expect(idsOf()).not.toContain(step);
    release();
    // The second call is that of a gateway that calls again. Both are stored by then.
    expect((await post(unhurried(), `${step}, again`)).status).toBe(200);
    expect(idsOf()).toContain(`${step}, again`);
  },
);

test('a callback that got 503 because it took long is stored all the same', async () => {
  const [{ later, timers }, { hold, reached, release }] = [ourClock(), heldStep()];
  const stored = Promise.withResolvers<void>();
  const { receive } = service.parts;
  const slow: Parts['receive'] = async (account, receipts) => {
    await hold();
    await receive(account, receipts);
    stored.resolve();
  };
  const answering = post({ ...service.parts, receive: slow, later }, 'late');
  await reached;
  for (const timeIsUp of timers.keys()) timeIsUp();
  expect((await answering).status).toBe(503);
  release();
  await stored.promise;
  expect(idsOf()).toContain('late');
});

test('a callback that is stored in time gets 200, and its timer is gone', async () => {
  const { later, timers } = ourClock();
  expect((await post({ ...service.parts, later }, 'in time')).status).toBe(200);
  expect(timers.size).toBe(0);
  expect(idsOf()).toContain('in time');
});

test('a failure after the answer makes no second one', async () => {
  const [{ later, timers }, { hold, reached, release }] = [ourClock(), heldStep()];
  const failing: Parts['receive'] = async () => {
    await hold();
    throw new Error('the database is gone');
  };
  const answering = post({ ...service.parts, receive: failing, later }, 'failing');
  await reached;
  for (const timeIsUp of timers.keys()) timeIsUp();
  expect((await answering).status).toBe(503);
  release();
  expect((await post(unhurried(), 'next')).status).toBe(200);
});

test('a gateway that waits longer has no deadline, and neither has another provider', async () => {
  const { later, timers } = ourClock();
  const set: number[] = [];
  const counting: Later = (run, ms) => {
    set.push(ms);
    return later(run, ms);
  };
  const app = createApp({ ...service.parts, later: counting });
  await request(app).post(path).send('').expect(404);
  await request(app)
    .post(path.replace('http-sms', 'test-sms'))
    .set('telnyx-signature-ed25519', 'x')
    .expect(404);
  expect(set).toEqual([]);
  await request(app).post(path).set('telnyx-signature-ed25519', 'x').expect(404);
  expect([set.length, timers.size]).toEqual([1, 0]);
});
