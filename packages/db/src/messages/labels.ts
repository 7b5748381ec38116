import { hasLabels, type Labels } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/** The labels of an item, in SQL that knows its `ordinal`. */
export interface GivenLabels {
  readonly metadata: RawBuilder<unknown>;
  readonly tags: RawBuilder<unknown>;
}

/** Null if no item has any. Then the statement has no parameter for them. */
export function labelsOf(items: readonly { readonly labels?: Labels }[]): GivenLabels | null {
  if (items.every(({ labels }) => labels === undefined || !hasLabels(labels))) return null;
  const metadata = items.map(({ labels }) => jsonOf(labels?.metadata ?? null));
  const tags = items.map(({ labels }) => arrayOf(labels?.tags ?? null));
  return {
    metadata: sql`(${metadata}::text[])[ordinal + 1]::json`,
    tags: sql`(${tags}::text[])[ordinal + 1]::text[]`,
  };
}

function jsonOf(metadata: Labels['metadata']): string | null {
  return metadata === null ? null : JSON.stringify(metadata);
}

/** Tags as Postgres reads an array. They need no escapes, but quotes: `null` may be a tag. */
function arrayOf(tags: Labels['tags']): string | null {
  return tags === null ? null : `{${tags.map((tag) => `"${tag}"`).join(',')}}`;
}

/** Adds each row of `made` to the messages of its tags, in SQL: a common table expression with a comma. */
export function tagged({ tags }: GivenLabels): RawBuilder<unknown> {
  return sql`tagged as (
      insert into message_tags (tenant_id, tag, message_id)
      select tenant_id, tag, new_id from made cross join lateral unnest(${tags}) tag order by 1, 2, 3
    ),`;
}
