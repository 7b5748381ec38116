import { type DeliveryDetails as Details, DeliveryDetails } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  type DeliveryRequest,
  deliveryRequest,
  type DeliveryRow,
  firstOfPack,
  listDeliveries,
} from '@notify/db/webhooks';
import { type Secrets, signatureHeaders } from '@notify/runtime';
import Type from 'typebox';
import manifest from '../../package.json' with { type: 'json' };
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { readDeliveryId, toDelivery } from './delivery.ts';
import { readWebhookId } from './webhook.ts';

export const getDelivery = defineRoute({
  operationId: 'webhooks.getDelivery',
  method: 'get',
  path: '/v1/webhooks/:id/deliveries/:deliveryId',
  tag: 'Webhooks',
  summary: 'Retrieve a delivery',
  description:
    'With the body that is posted, and the headers of every attempt. The ID of a pack (`bat_…`) works, too: it shows the first delivery of the pack, which stands for all.',
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
    const row = found(await findDelivery(db, tenantId, webhookId, readDeliveryId(params.deliveryId)));
    const request = found(await deliveryRequest(db, tenantId, webhookId, row));
    const delivery = toDelivery(row);
    return {
      ...delivery,
      events: request.events.map((one) => ({
        deliveryId: formatId('dlv', one.deliveryId),
        eventId: formatId('evt', one.eventId),
        event: one.event as Details['event'],
        messageId: one.messageId === null ? null : formatId('msg', one.messageId),
        recipient: one.recipient,
      })),
      request: { method: 'POST' as const, url: request.url, body: request.body },
      attempts: delivery.attempts.map((attempt, index) => ({
        ...attempt,
        headers: [
          ...sentAlways,
          ...signatures({ request, row, attempt: row.attempts[index]!, tenantId }, secrets),
        ],
      })),
    };
  },
});

/** The delivery, or the first of the pack. */
async function findDelivery(
  db: Db,
  tenantId: string,
  webhookId: string,
  of: ReturnType<typeof readDeliveryId>,
): Promise<DeliveryRow | null> {
  const id = 'packId' in of ? await firstOfPack(db, tenantId, webhookId, of.packId) : of.deliveryId;
  if (id === null) return null;
  const [row = null] = await listDeliveries(db, { tenantId, webhookId, id, limit: 1 });
  return 'packId' in of && row?.pack?.id !== of.packId ? null : row;
}

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
    request: { body: whole, ownBody, secrets: stored },
    row,
    attempt: { beganAt: at, ofPack },
    tenantId,
  }: {
    readonly request: DeliveryRequest;
    readonly row: DeliveryRow;
    readonly attempt: DeliveryRow['attempts'][number];
    readonly tenantId: string;
  },
  secrets: Secrets,
): Header[] {
  const pack = ofPack ? row.pack : null;
  const body = pack === null ? ownBody : whole;
  const id = pack === null ? formatId('evt', row.eventId) : formatId('bat', pack.id);
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
