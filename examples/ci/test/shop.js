import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Notify } from '@notify/sdk';
import request from 'supertest';
import { createApp } from '../src/app.js';

/** Where Notify posts its events. */
const { port } = new URL(process.env.NOTIFY_SEED_WEBHOOK_URL);
export const webhookSecret = process.env.NOTIFY_SEED_WEBHOOK_SECRET;

/** Starts the shop, with a real Notify behind it. `notify` also has a token, for what the shop itself may not do. */
export async function startShop() {
  const baseUrl = process.env.NOTIFY_URL ?? 'http://127.0.0.1:3000';
  const apiKey = process.env.NOTIFY_SEED_API_KEY;
  const app = createApp({ notify: new Notify({ baseUrl, apiKey }), webhookSecret });
  // All addresses, because Notify in a container does not reach 127.0.0.1 of its host.
  const server = app.listen(Number(port), '0.0.0.0');
  await once(server, 'listening');
  return {
    http: request(server),
    notify: new Notify({ baseUrl, apiKey, token: process.env.NOTIFY_SEED_SERVICE_TOKEN }),
    async order(phone) {
      const { body } = await request(server).post('/orders').send({ phone, item: 'tea' }).expect(201);
      return body;
    },
    /** The order as soon as its confirmation is `wanted`. */
    async untilConfirmation(id, wanted) {
      return until(async () => {
        const { body } = await request(server).get(`/orders/${id}`).expect(200);
        return body.confirmation === wanted ? body : null;
      });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Asks every 50 ms until the answer is not null. Throws after 20 s. */
export async function until(ask) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await delay(50)) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
  throw new Error('it did not happen within 20 s');
}
