import { ChangeVerificationLimits, VerificationLimits } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { replaceLimits } from '@notify/db/verifications';
import { type FieldError, invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { isCountryCode } from '../sending/country-code.ts';
import { showLimits } from './get-limits.ts';

export const changeVerificationLimits = defineRoute({
  operationId: 'verificationLimits.change',
  method: 'put',
  path: '/v1/verification-limits',
  tag: 'Verifications',
  summary: 'Replace the limits of verifications',
  description:
    'Prefixes that are left out get the default limit. `held: false` releases a prefix, and so does `guarded: false`, which also keeps it from being held again.',
  credential: 'bearer',
  scope: 'accounts:write',
  params: NoParams,
  query: NoQuery,
  body: ChangeVerificationLimits,
  status: 200,
  response: VerificationLimits,
  problems: ['invalid-request'],
  async handle({ body, caller: { tenantId } }, { db }: { db: Db }) {
    const { startsPerHour = null, prefixes = [] } = body;
    const errors = prefixes.flatMap(({ prefix }, index): FieldError[] => {
      const at = `body/prefixes/${index}/prefix`;
      if (!isCountryCode(prefix)) return [{ at, message: 'must be a country code, such as +49' }];
      const isFirst = prefixes.findIndex((one) => one.prefix === prefix) === index;
      return isFirst ? [] : [{ at, message: 'must be given once' }];
    });
    if (errors.length > 0) throw invalidRequest(...errors);
    await replaceLimits(
      db,
      tenantId,
      startsPerHour,
      prefixes.map((one) => ({
        prefix: one.prefix,
        startsPerHour: one.startsPerHour ?? null,
        guarded: one.guarded ?? true,
        release: one.held === false,
      })),
    );
    return showLimits(db, tenantId);
  },
});
