import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';

/** How long a replaced secret keeps signing, in hours. */
export const previousSecretHours = 24;

/** The most replaced secrets of a webhook that sign beside the present one. Every delivery has a signature of each. */
export const mostReplacedSecrets = 10;

/** The place of a webhook's secret. A secret is sealed for this place only. */
export type WebhookSecretPlace =
  | { readonly table: 'webhooks'; readonly row: string; readonly column: 'secret' | 'previous_secret' }
  | { readonly table: 'webhook_older_secrets'; readonly row: string; readonly column: 'secret' };

/** The input of a rotation, from a caller that has the master keys. */
export interface NewSecret {
  /** The new secret, sealed for the column `secret`. */
  readonly secret: string;
  /** Seals a value for another place. Null when it cannot be opened, and so can no longer sign. */
  reseal(sealed: string, from: WebhookSecretPlace, to: WebhookSecretPlace): string | null;
}

/**
 * The result of a rotation: the time until which the replaced secret signs. If too many secrets sign already, the time
 * at which the next of them ends.
 */
export type SecretRotation =
  | { readonly kind: 'rotated'; readonly previousSecretUntil: Date }
  | { readonly kind: 'too-many'; readonly nextEndsAt: Date };

/**
 * Gives a webhook a new secret. The replaced secret signs for 24 h more, and earlier ones until the time promised for
 * them. Null when the tenant has no webhook of that id.
 */
export function rotateSecret(
  db: Db,
  tenantId: string,
  id: string,
  sealed: NewSecret,
): Promise<SecretRotation | null> {
  return db.transaction().execute(async (trx) => {
    const stored = await lockStored(trx, tenantId, id);
    if (stored === undefined) return null;
    const present = sealed.reseal(stored.secret, placeOf(id, 'secret'), placeOf(id, 'previous_secret'));
    // A present secret that cannot be opened is dropped, so earlier secrets keep their places.
    if (present === null) return renew(trx, id, sealed.secret, stored.previous, sql`previous_secret_until`);
    const older = await keepValid(trx, id);
    if (older.count + (stored.previous === null ? 0 : 1) >= mostReplacedSecrets) {
      return { kind: 'too-many', nextEndsAt: older.firstEndsAt ?? stored.previousUntil! };
    }
    if (stored.previous !== null) {
      await moveToOlder(
        trx,
        { tenantId, id, previous: stored.previous, until: stored.previousUntil! },
        sealed,
      );
    }
    const until = sql`now() + make_interval(hours => ${previousSecretHours}::int)`;
    return renew(trx, id, sealed.secret, present, until);
  });
}

/**
 * Gives a webhook this sealed secret, which alone signs from now on: every earlier one stops. Does nothing when the tenant has
 * no webhook of that id.
 */
export function replaceSecret(db: Db, tenantId: string, id: string, sealed: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const stored = await lockStored(trx, tenantId, id);
    if (stored === undefined) return;
    await trx.deleteFrom('webhook_older_secrets').where('webhook_id', '=', id).execute();
    await renew(trx, id, sealed, null, sql`now()`);
  });
}

function placeOf(webhookId: string, column: 'secret' | 'previous_secret'): WebhookSecretPlace {
  return { table: 'webhooks', row: webhookId, column };
}

/** The secrets in the webhook's own row. The previous one is included only while it signs. */
function lockStored(trx: Trx, tenantId: string, id: string) {
  const signs = sql`previous_secret_until > now()`;
  return trx
    .selectFrom('webhooks')
    .select([
      'secret',
      sql<string | null>`case when ${signs} then previous_secret end`.as('previous'),
      sql<Date | null>`case when ${signs} then previous_secret_until end`.as('previousUntil'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Removes the older secrets whose time is over, and counts the others. */
async function keepValid(trx: Trx, webhookId: string): Promise<{ count: number; firstEndsAt: Date | null }> {
  await sql`delete from webhook_older_secrets where webhook_id = ${webhookId} and until <= now()`.execute(
    trx,
  );
  return trx
    .selectFrom('webhook_older_secrets')
    .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(until)`.as('firstEndsAt')])
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow();
}

async function moveToOlder(
  trx: Trx,
  { tenantId, id, previous, until }: { tenantId: string; id: string; previous: string; until: Date },
  sealed: NewSecret,
): Promise<void> {
  const row = randomUUID();
  const to = { table: 'webhook_older_secrets', row, column: 'secret' } as const;
  const secret = sealed.reseal(previous, placeOf(id, 'previous_secret'), to);
  if (secret === null) return;
  await trx
    .insertInto('webhook_older_secrets')
    .values({ id: row, webhook_id: id, tenant_id: tenantId, secret, until })
    .execute();
}

async function renew(
  trx: Trx,
  id: string,
  secret: string,
  previous: string | null,
  until: ReturnType<typeof sql>,
): Promise<SecretRotation> {
  const { until: previousSecretUntil } = await trx
    .updateTable('webhooks')
    .set({
      secret,
      previous_secret: previous,
      previous_secret_until: previous === null ? sql<Date>`now()` : sql<Date>`${until}`,
    })
    .where('id', '=', id)
    .returning(sql<Date>`previous_secret_until`.as('until'))
    .executeTakeFirstOrThrow();
  return { kind: 'rotated', previousSecretUntil };
}
