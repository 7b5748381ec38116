import { randomUUID } from 'node:crypto';
import type { Template } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { askForSync, claimSyncs, storeTemplates } from '@notify/db/templates';
import { startService } from '../environment/service.ts';
import { emptyTables, type LoadTenant, makeLoadTenant } from '../environment/tenants.ts';
import { wrk, type WrkResult } from '../load/wrk.ts';
import { ratio } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

/**
 * Accepted templates a second, beside texts of the same length from the same account. Each template is checked against
 * the stored one and rendered. No worker runs.
 */
export const templates: Benchmark = {
  name: 'templates',
  needs: ['wrk'],
  async run(environment, { rounds, seconds, connections }, say) {
    await using service = await startService(environment, { workers: [] });
    const results: Record<'template' | 'text', WrkResult[]> = { template: [], text: [] };
    for (let round = 0; round <= rounds; round += 1) {
      // In turns, because the second one of a round finds warmer caches.
      for (const name of round % 2 === 0
        ? (['template', 'text'] as const)
        : (['text', 'template'] as const)) {
        await emptyTables(service.db);
        const tenant = await makeLoadTenant(service.db, environment.secrets, nobody);
        await giveTemplate(service.db, tenant);
        const args = [`${name}${round}`, ...(name === 'text' ? ['0'] : []), tenant.key];
        const script = name === 'text' ? 'send' : 'template';
        const result = await wrk({ url: service.apiUrl, script, args, connections, seconds });
        say(
          `${name} ${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`,
        );
        // The first round warms up: it compiles code and fills caches.
        if (round > 0) results[name].push(result);
      }
    }
    const rate = (name: 'template' | 'text'): number[] => results[name].map((one) => one.perSecond);
    return [
      ratio('templates', ['templates/s', rate('template')], ['texts/s', rate('text')], { atLeast: 0.9 }),
    ];
  },
};

/** Makes the tenant's account one of a provider with templates, and stores one that was just read. */
async function giveTemplate(db: Db, { accountId }: LoadTenant): Promise<void> {
  const provider = 'sandbox';
  await db.updateTable('channel_accounts').set({ provider }).where('id', '=', accountId).execute();
  await askForSync(db, accountId, 0);
  const claims = await claimSyncs(db, provider, randomUUID(), { limit: 1_000, leaseMs: 60_000 });
  const claim = claims.find((one) => one.accountId === accountId);
  if (claim === undefined) throw new Error('the account is not due');
  await storeTemplates(db, claim, [template]);
}

const template: Template = {
  name: 'code',
  language: 'en',
  label: null,
  category: 'utility',
  status: 'approved',
  reason: null,
  named: false,
  header: null,
  body: {
    text: 'Your code is {{1}}. It is good for {{2}}.',
    variables: [
      { name: '1', example: '123456' },
      { name: '2', example: 'ten minutes' },
    ],
  },
  footer: null,
  buttons: [],
};

/** Never called, because no worker runs. */
const nobody = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
