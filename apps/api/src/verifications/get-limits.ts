import { VerificationLimits } from '@notify/contract';
import { defaultStartsPerHour } from '@notify/core';
import { readLimits } from '@notify/db/verifications';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const getVerificationLimits = defineRoute({
  operationId: 'verificationLimits.get',
  method: 'get',
  path: '/v1/verification-limits',
  tag: 'Verifications',
  summary: 'Retrieve the limits of verifications',
  description:
    'How many verifications may be started per hour to numbers of a country prefix, and which prefixes are held.',
  credential: 'bearer',
  scope: 'accounts:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: VerificationLimits,
  problems: [],
  handle: ({ caller }, { db }: { db: Db }) => showLimits(db, caller.tenantId),
});

/** The limits of a tenant, as they are shown. */
export async function showLimits(db: Db, tenantId: string): Promise<VerificationLimits> {
  const { startsPerHour, prefixes } = await readLimits(db, tenantId);
  return {
    startsPerHour: startsPerHour ?? defaultStartsPerHour,
    prefixes: prefixes.map((one) => ({
      prefix: one.prefix,
      startsPerHour: one.startsPerHour,
      guarded: one.guarded,
      heldUntil: one.heldUntil?.toISOString() ?? null,
    })),
  };
}
