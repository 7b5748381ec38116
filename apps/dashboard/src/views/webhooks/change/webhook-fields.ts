import type { EventName } from '../event-kinds.ts';
import type { FilterValues } from '../filters.ts';
import type { PackingValues } from '../packing.ts';

/** The fields that a tenant sets. */
export interface WebhookFields extends FilterValues, Record<string, unknown> {
  readonly url: string;
  readonly description: string;
  readonly events: EventName[];
  readonly delivery: PackingValues;
}
