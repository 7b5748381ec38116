import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startShop, until } from './shop.js';

let shop;
let account;
before(async () => {
  shop = await startShop();
  const accounts = await shop.notify.channelAccounts.list();
  account = accounts.find(({ channel, provider }) => channel === 'sms' && provider === 'sandbox');
});
after(() => shop.stop());

/** The newest message to a number, once it is another than `before`. */
function nextMessageTo(to, before) {
  return until(async () => {
    const page = await shop.notify.tenantMessages.list({ to, limit: 1 });
    const [message] = page.data;
    return message === undefined || message.messageId === before ? null : message;
  });
}

test('a customer who asks is told about the order', async () => {
  const phone = '+14155550177';
  const order = await shop.order(phone);
  await shop.notify.channelAccounts.simulateInbound(account.id, { from: phone, text: 'status' });
  const answer = await nextMessageTo(phone, order.messageId);
  const { body } = await shop.notify.messages.get(answer.messageId);
  assert.equal(body.text, 'Your order of tea is on its way.');
});
