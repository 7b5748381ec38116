import type { CreateWebhook, DeliveryMode, Webhook } from '@notify/contract';
import { formatId, isFailing, parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  type Packing,
  type WebhookFilters,
  type WebhookRow,
  type WebhookStanding,
  webhookStandings,
} from '@notify/db/webhooks';
import Type, { type Static } from 'typebox';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';

type WantedMode = NonNullable<Static<typeof CreateWebhook>['delivery']>;

/** Path parameters of the routes of one webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no webhook id. */
export function readWebhookId(text: string): string {
  return found(parseId('wh', text));
}

/** Webhooks as the API shows them, with their health. Webhooks that were deleted in the meantime are left out. */
export async function showWebhooks(
  db: Db,
  tenantId: string,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const ids = rows.map(({ id }) => id);
  const standings = await webhookStandings(db, tenantId, ids);
  return rows.flatMap((row) => {
    const standing = standings.get(row.id);
    return standing === undefined ? [] : [toWebhook(row, standing)];
  });
}

/** One webhook as the API shows it. Throws `not-found` if there is none. */
export async function showWebhook(db: Db, tenantId: string, row: WebhookRow | null): Promise<Webhook> {
  const [webhook] = await showWebhooks(db, tenantId, [found(row)]);
  return found(webhook ?? null);
}

function toWebhook(row: WebhookRow, standing: WebhookStanding): Webhook {
  const { replay } = standing;
  return {
    id: formatId('wh', row.id),
    url: row.url,
    events: [...row.events],
    ...shownFilters(row),
    delivery: shownMode(row),
    isActive: row.isActive,
    lastTriggeredAt: written(row.lastTriggeredAt),
    failureCount: row.failureCount,
    createdAt: row.createdAt.toISOString(),
    description: row.description,
    disabledReason: row.disabledReason,
    state: stateOf(row),
    failingSince: written(standing.failingSince),
    lastFailure: standing.lastFailure && {
      ...standing.lastFailure,
      at: standing.lastFailure.at.toISOString(),
    },
    nextAttemptAt: row.isActive ? written(standing.pausedUntil) : null,
    waiting: standing.waiting,
    lastSuccessAt: written(standing.lastSuccessAt),
    previousSecretUntil: written(standing.previousSecretUntil),
    replay: replay && { reachedAt: replay.reachedAt.toISOString(), until: replay.until.toISOString() },
  };
}

/** The filters of a webhook as the API shows them. */
export function shownFilters({
  accountIds,
  channels,
  tags,
}: WebhookFilters): Pick<Webhook, 'channelAccountIds' | 'channels' | 'tags'> {
  return {
    channelAccountIds: accountIds && [...accountIds],
    channels: channels && [...channels],
    tags: tags && [...tags],
  };
}

/** How a webhook gets its events, as the API shows it. */
export function shownMode({ packing }: Pick<WebhookRow, 'packing'>): DeliveryMode {
  return packing === null ? { mode: 'single' } : { mode: 'batch', ...packing };
}

/** The packing that a request asks for. Throws `invalid-request` if fields of the other mode are there, or some are missing. */
export function readPacking({ mode, ...limits }: WantedMode): Packing | null {
  for (const name of ['maxEvents', 'maxWaitMs'] as const)
    if ((limits[name] === undefined) === (mode === 'batch'))
      throw invalidRequest({
        at: `body/delivery/${name}`,
        message: mode === 'batch' ? 'is required with mode "batch"' : 'is only for mode "batch"',
      });
  const { maxEvents, maxWaitMs } = limits;
  return maxEvents === undefined || maxWaitMs === undefined ? null : { maxEvents, maxWaitMs };
}

/** The state of a webhook, by the same rule in every answer. */
export function stateOf(row: Pick<WebhookRow, 'isActive' | 'failureCount'>): Webhook['state'] {
  if (!row.isActive) return 'disabled';
  return isFailing(row) ? 'failing' : 'healthy';
}

function written(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
