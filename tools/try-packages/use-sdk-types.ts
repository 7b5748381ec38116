import { ApiError, type Message, Notify, type WebhookEvent, webhooks } from '@notify/sdk';

const notify = new Notify({ baseUrl: 'http://localhost:3000', apiKey: 'svc_live_…', token: 'svc_tok_…' });

/** What it declares must be what a reader of the documentation writes. */
export async function use(): Promise<void> {
  const message: Message = await notify.messages.sendText('sms', { to: '+15550001000', text: 'Hello' });
  const status: 'queued' | 'sent' | 'delivered' | 'failed' = message.status;
  console.log(status);
  // @ts-expect-error -- a text is required
  await notify.messages.sendText('sms', { to: '+15550001000' });
  // @ts-expect-error -- there is no such channel
  await notify.messages.sendText('email', { to: '+15550001000', text: 'Hello' });
  for await (const one of notify.tenantMessages.list({ status: 'failed' })) console.log(one.messageId);
  const page = await notify.tenantMessages.list();
  console.log(page.nextCursor, page.data.length);
  await notify.webhooks.delete('wh_…').catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not-found') return;
    throw error;
  });
  const event: WebhookEvent = await webhooks.verify('{}', new Headers(), ['whsec_…', 'whsec_…']);
  if (event.event === 'message.failed') console.log(event.errorCode, event.messageId);
  if (event.event === 'message.received') console.log(event.from, event.body);
  // @ts-expect-error -- only a received message has a sender
  console.log(event.from);
}
