import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webhooks } from '@notify/sdk';
import { startShop, webhookSecret } from './shop.js';

let shop;
before(async () => {
  shop = await startShop();
});
after(() => shop.stop());

const post = (body, headers) =>
  shop.http.post('/webhooks/notify').set('Content-Type', 'application/json').set(headers).send(body);

/** An event as Notify would post it about a message. */
function eventOf(order, status, sequence) {
  return JSON.stringify({
    event: `message.${status}`,
    id: `evt_${sequence}`,
    messageId: order.messageId,
    status,
    sequence,
    errorCode: null,
  });
}

test('an event that somebody else signed is refused and changes nothing', async () => {
  const order = await shop.order('+14155550123');
  await shop.untilConfirmation(order.id, 'delivered');
  const body = eventOf(order, 'failed', 9);
  const forged = await webhooks.sign(body, `whsec_${Buffer.alloc(32).toString('base64')}`);
  await post(body, forged).expect(400, { error: 'no-matching-signature' });
  await post(body, {}).expect(400, { error: 'missing-header' });
  const { body: after } = await shop.http.get(`/orders/${order.id}`);
  assert.equal(after.confirmation, 'delivered');
});

test('an event that comes late does not undo a later one', async () => {
  const order = await shop.order('+14155550123');
  await shop.untilConfirmation(order.id, 'delivered');
  const body = eventOf(order, 'sent', 2);
  await post(body, await webhooks.sign(body, webhookSecret)).expect(204);
  const { body: after } = await shop.http.get(`/orders/${order.id}`);
  assert.equal(after.confirmation, 'delivered');
});
