import { type WebhookEvent, webhooks, WebhookVerificationError } from '@notify/sdk';
import Fastify from 'fastify';

const secret = process.env['NOTIFY_WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 4000);

/** Every event arrives at least once, so its id is remembered: in memory here, in a table with a unique key elsewhere. */
const stored = new Map<string, WebhookEvent>();

const app = Fastify();

// The signature covers the bytes, so the routes of this plugin take JSON as they are. Those outside still get it parsed.
await app.register(async (hooks) => {
  hooks.removeContentTypeParser('application/json');
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  hooks.post('/webhooks/notify', async (request, reply) => {
    let event: WebhookEvent;
    try {
      event = await webhooks.verify(request.body as Buffer, request.headers, secret);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send({ error: error.message });
    }
    // Notify waits 10 seconds for the answer: store the event, answer, and do the work afterwards.
    if (store(event)) setImmediate(() => work(event));
    return reply.code(204).send();
  });
});

await app.listen({ port });
console.log(`listening on http://localhost:${port}/webhooks/notify`);

function store(event: WebhookEvent): boolean {
  if (stored.has(event.id)) return false;
  stored.set(event.id, event);
  return true;
}

function work(event: WebhookEvent): void {
  if (event.event === 'message.failed') console.log(`${event.event} ${event.messageId} ${event.errorCode}`);
  else console.log(`${event.event} ${event.messageId}`);
}
