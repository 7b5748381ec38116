import type { QueueStore } from '@notify/queue';
import { Redis } from 'ioredis';
import pg from 'pg';

/** One key of Redis, or one row of BullMQ's tables: `name` tells it from all others, and `content` restores it. */
export interface QueuePart {
  readonly name: string;
  readonly content: Buffer | string;
}

/** Loses and restores parts of a queue, as evictions, damaged files and restores of single keys do. */
export interface QueueLosses {
  /** All parts that the queue has now. */
  parts(): Promise<QueuePart[]>;
  /** Deletes these parts. */
  lose(parts: readonly QueuePart[]): Promise<void>;
  /** Writes these parts as they were, one by one, over what is there now. In Redis they live for ever from then on. */
  restore(parts: readonly QueuePart[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store, which must be one Redis or Postgres. In Postgres, the ledger of BullMQ's schema is no part of the queue. */
export function openQueueLosses({ redisUrl, databaseUrl }: QueueStore): QueueLosses {
  return redisUrl === null ? openRows(databaseUrl) : openKeys(redisUrl);
}

function openKeys(url: string): QueueLosses {
  const redis = new Redis(url);

  async function part(name: string): Promise<QueuePart[]> {
    const content = await redis.dumpBuffer(name);
    return content === null ? [] : [{ name, content }];
  }

  return {
    async parts() {
      const names = await redis.keys('{notify-*');
      return (await Promise.all(names.sort().map(part))).flat();
    },
    async lose(parts) {
      if (parts.length > 0) await redis.del(...parts.map(({ name }) => name));
    },
    async restore(parts) {
      for (const { name, content } of parts) await redis.restore(name, 0, content, 'REPLACE');
    },
    async close() {
      await redis.quit();
    },
  };
}

/** The tables of jobs and what keeps them apart. The others hold what was, and nothing reads them. */
const tables = ['job', 'dedup', 'dedup_next', 'meta'] as const;

function openRows(url: string): QueueLosses {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);

  /** Of the row `r`, in SQL: the columns of its primary key. */
  const keys = { job: 'r.id', dedup: 'r.dedup_id', dedup_next: 'r.dedup_id', meta: 'r.field' } as const;
  const nameOf = (table: keyof typeof keys): string => `'${table} ' || r.queue || ' ' || ${keys[table]}`;

  return {
    async parts() {
      const selects = tables.map(
        (table) => `select ${nameOf(table)} as name, to_jsonb(r)::text as content from bullmq.${table} r`,
      );
      const { rows } = await pool.query<{ name: string; content: string }>(
        `${selects.join(' union all ')} order by name`,
      );
      return rows;
    },
    async lose(parts) {
      const names = parts.map(({ name }) => name);
      for (const table of tables)
        await pool.query(`delete from bullmq.${table} r where ${nameOf(table)} = any ($1::text[])`, [names]);
    },
    async restore(parts) {
      for (const { name, content } of parts) {
        const table = tables.find((one) => name.startsWith(`${one} `))!;
        await pool.query(`delete from bullmq.${table} r where ${nameOf(table)} = $1`, [name]);
        await pool.query(
          `insert into bullmq.${table} select * from jsonb_populate_record(null::bullmq.${table}, $1::jsonb)
          on conflict do nothing`,
          [content],
        );
      }
    },
    close: () => pool.end(),
  };
}
