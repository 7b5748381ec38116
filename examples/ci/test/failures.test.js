import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startShop } from './shop.js';

// The last four digits of a number choose how the sandbox ends a message. The documentation of Notify lists them.
const refused = '+14155550001';
const failsTwice = '+14155550002';
const reportedFailed = '+14155550004';
const throttled = '+14155550006';

let shop;
before(async () => {
  shop = await startShop();
});
after(() => shop.stop());

for (const [name, phone] of [
  ['the provider refuses', refused],
  ['the provider accepts, and later reports as failed', reportedFailed],
]) {
  test(`somebody has to call the customer whose SMS ${name}`, async () => {
    const order = await shop.order(phone);
    const failed = await shop.untilConfirmation(order.id, 'failed');
    assert.equal(failed.callCustomer, true);
    assert.notEqual(failed.errorCode, null);
  });
}

for (const [name, phone] of [
  ['that fails twice', failsTwice],
  ['that the provider throttles', throttled],
]) {
  test(`an SMS ${name} is sent again by Notify, and the shop has nothing to do`, async () => {
    const order = await shop.order(phone);
    const delivered = await shop.untilConfirmation(order.id, 'delivered');
    assert.equal(delivered.callCustomer, false);
  });
}
