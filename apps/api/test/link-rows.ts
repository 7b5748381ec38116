import { linkPlace } from '@notify/db/whatsapp';
import request from 'supertest';
import type { Registered, TestApi } from './test-api.ts';

/** A `whatsapp-web` account, and its link as whoever holds it would change it. */
export interface LinkedAccount {
  readonly id: string;
  /** Of its endpoints. */
  readonly path: string;
  /** Shows this until then, as the step says. */
  show(step: 'display-qr' | 'display-code', text: string, until: Date): Promise<void>;
  change(columns: object): Promise<void>;
  row(): Promise<Record<string, unknown>>;
}

/** Makes the account through the api. */
export async function makeLinkable(
  { app, parts, database: { db } }: TestApi,
  tenant: Registered,
  settings: object = {},
): Promise<LinkedAccount> {
  const made = await request(app)
    .post('/v1/channel-accounts')
    .set('Authorization', tenant.bearer)
    .send({ provider: 'whatsapp-web', name: 'Phone', settings });
  if (made.status !== 201) throw new Error(`account: ${made.status} ${made.text}`);
  const { id } = made.body as { id: string };
  const { tenant_id: tenantId } = await db
    .selectFrom('channel_accounts')
    .select('tenant_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const change = async (columns: object): Promise<void> => {
    await db
      .updateTable('whatsapp_links')
      .set((eb) => ({ ...columns, version: eb('version', '+', '1') }))
      .where('account_id', '=', id)
      .execute();
  };
  return {
    id,
    path: `/v1/channel-accounts/${id}`,
    change,
    show: (step, text, until) =>
      change({ step, shown: parts.secrets.seal(text, linkPlace(tenantId, id)), shown_until: until }),
    row: () =>
      db.selectFrom('whatsapp_links').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow(),
  };
}
