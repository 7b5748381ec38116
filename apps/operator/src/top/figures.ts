import type { Db } from '@notify/db/connection';
import {
  type BacklogFigures,
  type KnownProcess,
  listProcesses,
  type Names,
  readNames,
  readSample,
  type StoredSample,
} from '@notify/db/operations';
import { readHold } from '@notify/db/holds';

/** Everything that one frame shows. */
export interface TopFigures extends Names {
  readonly processes: readonly KnownProcess[];
  /** Since when all sends are held; null when they are not. */
  readonly heldSince: Date | null;
  /** Null until a first sample was taken. */
  readonly sample: StoredSample | null;
}

/** Reads what the processes have stored about themselves and about all waiting work: four look-ups by key. */
export async function readTop(db: Db): Promise<TopFigures> {
  const [processes, sample, hold] = await Promise.all([listProcesses(db), readSample(db), readHold(db)]);
  const backlogs = [sample?.figures.messages, sample?.figures.deliveries];
  const ids = backlogs.flatMap((backlog) => (backlog ? namedIn(backlog) : []));
  return { ...(await readNames(db, [...new Set(ids)])), processes, sample, heldSince: hold?.since ?? null };
}

function namedIn({ busiest, slowest }: BacklogFigures): string[] {
  const all = [...busiest.subjects, ...busiest.tenants, ...slowest.subjects, ...slowest.tenants];
  return all.flatMap(({ id, tenantId }) => (tenantId === null ? [id] : [id, tenantId]));
}
