import { createHmac } from 'node:crypto';
import { type Behaviour, type Received, startReceiver } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import type { Response } from 'supertest';
import type { Tenant } from './tenant.ts';
import { until } from './until.ts';

/** A webhook delivery as it arrived, its body read. */
export interface Delivery extends Received {
  readonly event: Response['body'];
}

/** A receiver of webhooks that the service under test can reach. */
export interface Inbox extends AsyncDisposable {
  readonly url: string;
  /** Everything delivered so far, oldest first. */
  deliveries(): readonly Delivery[];
  /** The deliveries that match, as soon as there are `count`; of all of them unless told otherwise. */
  atLeast(
    count: number,
    matches?: (delivery: Delivery) => boolean,
    withinMs?: number,
  ): Promise<readonly Delivery[]>;
  /** How many deliveries have no answer yet, and are still waited for. */
  open(): number;
  /** From now on, answers so; a function is asked for each request. */
  behave(behaviour: Behaviour | ((request: Received) => Behaviour)): void;
}

/**
 * Opens one on loopback. For a service that runs elsewhere, `RECEIVER_HOST` names this machine as the service sees it;
 * then it listens on every address.
 */
export async function openInbox(): Promise<Inbox> {
  const host = process.env.RECEIVER_HOST;
  const receiver = await startReceiver(0, host === undefined ? '127.0.0.1' : '0.0.0.0');
  const url = new URL('/hook', receiver.url);
  if (host !== undefined) url.hostname = host;
  const deliveries = () =>
    receiver.received.map((request) => ({ ...request, event: JSON.parse(request.body.toString()) }));
  return {
    url: url.href,
    deliveries,
    open: () => receiver.atOnce,
    behave: (behaviour) => receiver.behave(behaviour),
    atLeast: async (count, matches = () => true, withinMs) =>
      until(
        () => deliveries().filter(matches),
        ({ length }) => length >= count,
        withinMs,
      ),
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/** Makes a webhook that leads to the inbox; all five events unless given. */
export async function subscribe(
  tenant: Tenant,
  inbox: Inbox,
  events?: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await tenant.post('/v1/webhooks', {
    url: inbox.url,
    ...(events === undefined ? {} : { events }),
  });
  if (made.status !== 201) throw new Error(`cannot make a webhook: ${made.text}`);
  return made.body;
}

/** The webhook as it is listed, as soon as `done` holds for it. */
export async function webhookWhen(
  tenant: Tenant,
  webhookId: string,
  done: (webhook: Response['body']) => boolean,
  withinMs?: number,
): Promise<Response['body']> {
  const look = async () => {
    const { body } = await tenant.get('/v1/webhooks');
    return body.find(({ id }: { id: string }) => id === webhookId);
  };
  return until(look, done, withinMs);
}

/** What `X-Svc-Signature` must say for these bytes: HMAC-SHA256 keyed with the secret string's own bytes. */
export function svcSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Verifies the Standard Webhooks signature with the package receivers use; throws when it is not right. */
export function verifyStandardSignature(secret: string, { headers, body }: Delivery): unknown {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(headers[name]),
  ]);
  return new Webhook(secret).verify(body.toString(), Object.fromEntries(signed));
}
