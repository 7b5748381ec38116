import { randomUUID } from 'node:crypto';
import { webhooks, WebhookVerificationError } from '@notify/sdk';
import express from 'express';
import { createOrders } from './orders.js';

/** The shop. `notify` is a client with an API key; `webhookSecret` is the secret of the webhook that leads here. */
export function createApp({ notify, webhookSecret }) {
  const orders = createOrders();
  const app = express();

  app.post('/orders', express.json(), async (request, response) => {
    const order = { id: randomUUID(), phone: request.body.phone, item: request.body.item };
    orders.add(order);
    const text = `Your order of ${order.item} is confirmed. Answer STATUS to ask about it.`;
    // With the order's ID as the key, a repeated request sends nothing twice.
    const idempotencyKey = `order-${order.id}`;
    const message = await notify.messages.sendText('sms', { to: order.phone, text, idempotencyKey });
    orders.setMessage(order.id, message.id);
    response.status(201).json(orders.find(order.id));
  });

  app.get('/orders/:id', (request, response) => {
    const order = orders.find(request.params.id);
    if (order === null) return response.status(404).json({ error: 'no such order' });
    response.json(order);
  });

  // The signature covers the bytes of the body, so it must not be parsed before.
  app.post('/webhooks/notify', express.raw({ type: '*/*' }), async (request, response) => {
    const event = await webhooks.verify(request.body, request.headers, webhookSecret);
    // An answer that is not 2xx makes Notify deliver the event again.
    if (event.event === 'message.received') await answer(event);
    else orders.addEvent(event);
    response.sendStatus(204);
  });

  app.use((error, request, response, next) => {
    if (!(error instanceof WebhookVerificationError)) return next(error);
    response.status(400).json({ error: error.reason });
  });

  /** Answers a customer who wrote. The event's ID is the key, so an event that comes twice gets one answer. */
  async function answer({ id, from, body }) {
    if (body?.text?.trim().toUpperCase() !== 'STATUS') return;
    const order = orders.latestOf(from);
    const text = order === null ? 'You have no order.' : `Your order of ${order.item} is on its way.`;
    await notify.messages.sendText('sms', { to: from, text, idempotencyKey: `answer-${id}` });
  }

  return app;
}
