import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { type DeliveryRow, packEvents, type PackEventRow } from './log.ts';
import { packBody } from './pack-body.ts';
import { previousSecretHours, type WebhookSecretPlace } from './secrets.ts';

/** A secret, and the time in which it signed or signs. */
export interface SigningPeriod {
  /** Sealed for `place`. */
  readonly secret: string;
  readonly place: WebhookSecretPlace;
  /** Null for the webhook's first secret. */
  readonly since: Date | null;
  /** Null for the present secret. */
  readonly until: Date | null;
}

/** The parts that a delivery's posts have in common. */
export interface DeliveryRequest {
  /** The webhook's present URL. */
  readonly url: string;
  /** The posted JSON, byte for byte. Null when an event is no longer kept. */
  readonly body: string | null;
  /** The JSON of the delivery's own event. The same, unless it is in a pack. */
  readonly ownBody: string | null;
  /** The events of the post, in its order. */
  readonly events: readonly PackEventRow[];
  /** The stored secrets, newest first. A replaced secret is deleted some time after it has stopped signing. */
  readonly secrets: readonly SigningPeriod[];
}

interface Row {
  url: string;
  body: string | null;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | null;
  older: { id: string; secret: string; until: string }[] | null;
}

/** What was posted, or will be, to a webhook for a delivery. Null when the tenant has no webhook of that id. */
export async function deliveryRequest(
  db: Db,
  tenantId: string,
  webhookId: string,
  delivery: DeliveryRow,
): Promise<DeliveryRequest | null> {
  const { pack } = delivery;
  const { rows } = await sql<Row>`
    select w.url, w.secret, w.previous_secret, w.previous_secret_until,
      (select e.body from events e where e.id = ${delivery.eventId}::uuid and e.tenant_id = w.tenant_id) as body,
      (
        select json_agg(json_build_object('id', o.id, 'secret', o.secret, 'until', o.until) order by o.until desc)
        from webhook_older_secrets o where o.webhook_id = w.id
      ) as older
    from webhooks w where w.id = ${webhookId} and w.tenant_id = ${tenantId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const common = { url: row.url, ownBody: row.body, secrets: periodsOf(webhookId, row) };
  if (pack === null) {
    const { id: deliveryId, eventId, event, messageId, recipient } = delivery;
    const own = { deliveryId, eventId, event, messageId, recipient, sequence: null, body: row.body };
    return { ...common, body: row.body, events: [own] };
  }
  const events = await packEvents(db, tenantId, webhookId, pack.id);
  const isWhole = events.length === pack.events && events.every(hasBody);
  return { ...common, body: isWhole ? packBody(pack.id, events) : null, events };
}

function hasBody(event: PackEventRow): event is PackEventRow & { readonly body: string } {
  return event.body !== null;
}

/** A secret signs from the rotation that made it, until 24 h after the one that replaced it. */
function periodsOf(webhookId: string, row: Row): SigningPeriod[] {
  const { secret, previous_secret: previous, previous_secret_until: until, older } = row;
  const replaced = [
    ...(previous === null || until === null
      ? []
      : [
          {
            secret: previous,
            place: { table: 'webhooks', row: webhookId, column: 'previous_secret' },
            until,
          } as const,
        ]),
    ...(older ?? []).map(
      (one) =>
        ({
          secret: one.secret,
          place: { table: 'webhook_older_secrets', row: one.id, column: 'secret' },
          until: new Date(one.until),
        }) as const,
    ),
  ];
  const present = {
    secret,
    place: { table: 'webhooks', row: webhookId, column: 'secret' },
    until: null,
  } as const;
  return [present, ...replaced].map((one, index) => ({
    ...one,
    since: rotationBefore(index === 0 ? until : (replaced[index]?.until ?? null)),
  }));
}

/** When the secret was replaced that stops signing at `until`. */
function rotationBefore(until: Date | null): Date | null {
  return until === null ? null : new Date(until.getTime() - previousSecretHours * 3_600_000);
}
