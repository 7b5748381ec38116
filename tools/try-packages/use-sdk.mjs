// Uses the installed SDK against a running service, in whatever runtime this is. Prints `done`.
import { Notify, NotFoundError, webhooks } from '@notify/sdk';

const notify = new Notify();
const texts = ['one', 'two', 'three'].map((text) => `${text} ${crypto.randomUUID()}`);
const bulk = await notify.messages.sendBulk('sms', {
  messages: texts.map((text) => ({ to: '+15550001000', text })),
});
const sent = await notify.messages.sendText('whatsapp', { to: '+15550001000', text: 'Hello' });
demand(sent.status === 'queued' && bulk.length === 3, 'the sends are queued');

const seen = [];
for await (const { body } of notify.tenantMessages.list({ channel: 'sms', limit: 2 })) seen.push(body.text);
demand(
  texts.every((text) => seen.includes(text)),
  'the list has every text, over several pages',
);

const error = await notify.messages
  .get('msg_00000000-0000-7000-8000-000000000000')
  .catch(/** @returns {unknown} */ (one) => one);
demand(error instanceof NotFoundError && error.code === 'not-found', 'an unknown message is a NotFoundError');

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const raw = JSON.stringify({ id: 'evt_1', event: 'message.sent' });
const event = await webhooks.verify(raw, await webhooks.sign(raw, secret), secret);
demand(event.id === 'evt_1', 'a signed webhook is verified');

for await (const { event } of notify.events.stream(await beginning())) {
  demand(event.event.startsWith('message.'), 'the stream has events');
  break;
}
console.log('done');

/** A cursor before the events of this run. */
async function beginning() {
  const { nextCursor } = await notify.events.list({ limit: 1 });
  await notify.messages.sendText('sms', { to: '+15550001000', text: 'for the stream' });
  return { cursor: nextCursor };
}

function demand(holds, what) {
  if (!holds) throw new Error(`not true: ${what}`);
}
