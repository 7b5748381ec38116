import { type WebhookEvent, webhooks, WebhookVerificationError } from '@notify/sdk';
import express from 'express';

const secret = process.env['NOTIFY_WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 4000);

/** Every event arrives at least once, so its id is remembered: in memory here, in a table with a unique key elsewhere. */
const stored = new Map<string, WebhookEvent>();

const app = express();

// The signature covers the bytes, so this route takes them as they are. `express.json()` may serve the other routes, but
// must not come before this one.
app.post('/webhooks/notify', express.raw({ type: 'application/json' }), async (request, response) => {
  let event: WebhookEvent;
  try {
    event = await webhooks.verify(request.body as Buffer, request.headers, secret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).json({ error: error.message });
    return;
  }
  // Notify waits 10 seconds for the answer: store the event, answer, and do the work afterwards.
  const isNew = store(event);
  response.status(204).end();
  if (isNew) work(event);
});

app.listen(port, () => console.log(`listening on http://localhost:${port}/webhooks/notify`));

function store(event: WebhookEvent): boolean {
  if (stored.has(event.id)) return false;
  stored.set(event.id, event);
  return true;
}

function work(event: WebhookEvent): void {
  if (event.event === 'message.failed') console.log(`${event.event} ${event.messageId} ${event.errorCode}`);
  else console.log(`${event.event} ${event.messageId}`);
}
