import { randomUUID } from 'node:crypto';
import type { Adapter, TemplateChange } from '@notify/channels';
import type { Template } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { askForSync, claimSyncs, storeTemplates } from '@notify/db/templates';
import { plainTemplate } from '@notify/testkit';
import Type from 'typebox';

/** A provider of WhatsApp that has templates, and whose callbacks are a JSON list of changes to them. */
export const templated: Adapter = {
  id: 'test-templates',
  channel: 'whatsapp',
  name: 'Test templates',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: true,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: true,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({ business: Type.Optional(Type.String()) }, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  // Only a worker lists templates.
  listTemplates: () => Promise.reject(new Error('the api asked a provider')),
  verify: () => Promise.resolve({ ok: true, detail: 'Welcome.' }),
  parseCallback({ secretMatches, body }) {
    if (!secretMatches) return { kind: 'forged' };
    const templates = JSON.parse(body.toString('utf8')) as TemplateChange[];
    return { kind: 'receipts', receipts: [], templates };
  },
};

/** A template with two variables in its body. */
export function template(name: string, changes: Partial<Template> = {}): Template {
  const variables = [
    { name: '1', example: 'Ada' },
    { name: '2', example: 'A-7' },
  ];
  return plainTemplate(name, { body: { text: 'Hi {{1}}, order {{2}} left.', variables }, ...changes });
}

/** Does what a worker does that has read these templates of the account. */
export async function synchronise(db: Db, accountId: string, templates: readonly Template[]): Promise<void> {
  await askForSync(db, accountId, 0);
  for (;;) {
    const [claim] = await claimSyncs(db, templated.id, randomUUID(), { limit: 1, leaseMs: 60_000 });
    if (claim === undefined) throw new Error('the account is not due');
    if (claim.accountId !== accountId) continue;
    await storeTemplates(db, claim, templates);
    return;
  }
}
