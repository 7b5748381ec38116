import { type DeliveryDetails as Details, DeliveryDetails } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type DeliveryRequest, deliveryRequest, listDeliveries } from '@notify/db/webhooks';
import { type Secrets, signatureHeaders } from '@notify/runtime';
import Type from 'typebox';
import manifest from '../../package.json' with { type: 'json' };
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toDelivery } from './delivery.ts';
import { readWebhookId } from './webhook.ts';

export const getDelivery = defineRoute({
  operationId: 'webhooks.getDelivery',
  method: 'get',
  path: '/v1/webhooks/:id/deliveries/:deliveryId',
  tag: 'Webhooks',
  summary: 'Retrieve a delivery',
  description: 'With the body that is posted, and the headers of every attempt.',
  credential: 'bearer',
  scope: 'webhooks:read',
  params: Type.Object({ id: Type.String(), deliveryId: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: DeliveryDetails,
  problems: ['not-found'],
  async handle(
    { params, caller: { tenantId } },
    { dashboardDb: db, secrets }: { dashboardDb: Db; secrets: Secrets },
  ) {
    const webhookId = readWebhookId(params.id);
    const id = found(parseId('dlv', params.deliveryId));
    const [row] = await listDeliveries(db, { tenantId, webhookId, id, limit: 1 });
    const { eventId, attempts } = found(row ?? null);
    const request = found(await deliveryRequest(db, tenantId, webhookId, eventId));
    const delivery = toDelivery(row!);
    return {
      ...delivery,
      request: { method: 'POST' as const, url: request.url, body: request.body },
      attempts: delivery.attempts.map((attempt, index) => ({
        ...attempt,
        headers: [
          ...sentAlways,
          ...signatures({ request, at: attempts[index]!.beganAt, eventId, tenantId }, secrets),
        ],
      })),
    };
  },
});

type Header = Details['attempts'][number]['headers'][number];

const sentAlways: readonly Header[] = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'User-Agent', value: `Notify/${manifest.version}` },
];

/** The names as `docs/events.md` writes them. */
const spelling: Readonly<Record<string, string>> = { 'x-svc-signature': 'X-Svc-Signature' };

/**
 * The headers that signed an attempt. Only the time and the event's ID are left of them when a secret of then is no
 * longer stored or cannot be opened: half of the signatures would be no proof of what was sent.
 */
function signatures(
  {
    request: { body, secrets: stored },
    at,
    eventId,
    tenantId,
  }: {
    readonly request: DeliveryRequest;
    readonly at: Date;
    readonly eventId: string;
    readonly tenantId: string;
  },
  secrets: Secrets,
): Header[] {
  const id = formatId('evt', eventId);
  const opened = stored
    .filter(({ since, until }) => (since === null || since <= at) && (until === null || at < until))
    .map(({ secret, place }) => openOrNull(secrets, secret, { tenantId, ...place }));
  const known = opened.filter((one) => one !== null);
  const isWhole = body !== null && known.length > 0 && known.length === opened.length;
  const headers = signatureHeaders({ secrets: known, id, at, body: Buffer.from(body ?? '') });
  return Object.entries(headers)
    .filter(([name]) => isWhole || !name.endsWith('-signature'))
    .map(([name, value]) => ({ name: spelling[name] ?? name, value }));
}

function openOrNull(secrets: Secrets, sealed: string, place: Parameters<Secrets['open']>[1]): string | null {
  try {
    return secrets.open(sealed, place);
  } catch {
    return null;
  }
}
