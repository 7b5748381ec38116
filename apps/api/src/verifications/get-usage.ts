import { VerificationUsage, VerificationUsageQuery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { readCounts } from '@notify/db/verifications';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { readPeriod } from '../usage/period.ts';

const counted = ['starts', 'checked', 'checks', 'approved', 'failed', 'refused'] as const;
type Counts = Record<(typeof counted)[number], number>;

export const getVerificationUsage = defineRoute({
  operationId: 'usage.verifications',
  method: 'get',
  path: '/v1/usage/verifications',
  tag: 'Verifications',
  summary: 'Count verifications by country prefix',
  description:
    'A verification counts in the hour of its start, whenever its code is checked. At most 31 days.',
  credential: 'bearer',
  scope: 'usage:read',
  params: NoParams,
  query: VerificationUsageQuery,
  body: NoBody,
  status: 200,
  response: VerificationUsage,
  problems: ['invalid-request'],
  async handle({ query, caller: { tenantId } }, { listDb }: { listDb: Db }) {
    const { from, until } = readPeriod(query, new Date());
    const figures = await readCounts(listDb, tenantId, from, until);
    return {
      from: from.toISOString(),
      until: until.toISOString(),
      totals: sumOf(figures),
      prefixes: figures.map(({ heldUntil, ...rest }) => ({
        ...rest,
        heldUntil: heldUntil?.toISOString() ?? null,
      })),
    };
  },
});

function sumOf(figures: readonly Counts[]): Counts {
  const sum = (field: keyof Counts): number => figures.reduce((so, one) => so + one[field], 0);
  return Object.fromEntries(counted.map((field) => [field, sum(field)])) as Counts;
}
