// A wish to link again once unlinking is done: `wanted` may be 'relink'. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table whatsapp_links drop constraint whatsapp_links_wanted_check,
      add constraint whatsapp_links_wanted_check check (wanted in ('link', 'unlink', 'relink'))`.execute(db);
}
