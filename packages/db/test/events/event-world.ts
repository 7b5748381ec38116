import { lowestId } from '@notify/core';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../src/connection/index.ts';
import {
  type Looker,
  type Pass,
  passBetween,
  type Place,
  readEvents,
  type StoredEvent,
} from '../../src/events/index.ts';

/** Stores an event of a tenant and returns its id. */
export async function tell(
  db: Pick<Kysely<never>, 'getExecutor'>,
  tenantId: string,
  told: {
    readonly body?: string;
    readonly messageId?: string;
    readonly sequence?: number;
    readonly id?: string;
  } = {},
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
    values (coalesce(${told.id ?? null}::uuid, uuidv7()), ${tenantId}, ${told.messageId ?? null}::uuid, 'message.sent',
      ${told.sequence ?? null}::int, ${told.body ?? '{}'}, now())
    returning id`.execute(db);
  return rows[0]!.id;
}

export const longAgo = new Date(0);

/** The place before the first event. */
export async function atStart(looker: Looker): Promise<Place> {
  return { from: null, to: (await looker.look()).snapshot, after: lowestId };
}

/** A page, the pass that it belongs to, and the place after it. */
export interface Step {
  readonly events: readonly StoredEvent[];
  readonly pass: Pass | null;
  readonly place: Place;
  /** Whether everything that was committed before the call has been read. */
  readonly isEnd: boolean;
}

/** Reads one page from a place. */
export async function step(
  db: Db,
  looker: Looker,
  tenantId: string,
  place: Place,
  limit: number,
): Promise<Step> {
  if ('to' in place) {
    const { events, next } = await readEvents(db, tenantId, place, { limit, maxBytes: 4_000_000 });
    return { events, pass: place, place: next ?? { from: place.to }, isEnd: false };
  }
  const look = await looker.look();
  const pass = passBetween(place.from, look, longAgo);
  if (pass === null) return { events: [], pass, place: { from: look.snapshot }, isEnd: true };
  const { events, next } = await readEvents(db, tenantId, pass, { limit, maxBytes: 4_000_000 });
  return { events, pass, place: next ?? { from: pass.to }, isEnd: next === null };
}

/** Everything from a place to the end. */
export async function readAll(
  db: Db,
  looker: Looker,
  tenantId: string,
  begin: Place,
  limit = 100,
): Promise<{ readonly ids: string[]; readonly place: Place }> {
  const ids: string[] = [];
  for (let place = begin; ;) {
    const page = await step(db, looker, tenantId, place, limit);
    ids.push(...page.events.map(({ id }) => id));
    place = page.place;
    if (page.isEnd) return { ids, place };
  }
}
