import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startShop } from './shop.js';

let shop;
before(async () => {
  shop = await startShop();
});
after(() => shop.stop());

test('an order is confirmed by SMS, and knows when the SMS was delivered', async () => {
  const order = await shop.order('+14155550123');
  const delivered = await shop.untilConfirmation(order.id, 'delivered');
  assert.equal(delivered.callCustomer, false);

  const message = await shop.notify.messages.get(delivered.messageId);
  assert.equal(message.to, '+14155550123');
  assert.match(message.body.text, /order of tea is confirmed/);
});

test('an order without a valid number is refused by Notify, before anything is sent', async () => {
  await assert.rejects(shop.notify.messages.sendText('sms', { to: 'nobody', text: 'Hello' }), {
    code: 'invalid-recipient',
    status: 422,
  });
});

test('an unknown order is 404', () => shop.http.get('/orders/none').expect(404));
