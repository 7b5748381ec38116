import { Profile } from '@notify/contract';
import { formatId } from '@notify/core';
import { findTenant } from '@notify/db/tenants';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const getProfile = defineRoute({
  method: 'get',
  path: '/auth/me',
  tag: 'Accounts',
  summary: 'Retrieve the profile',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Profile,
  problems: [],
  async handle({ caller }, { db }) {
    const tenant = await findTenant(db, caller.tenantId);
    if (tenant === null) throw new Problem('unauthenticated');
    return {
      id: formatId('ten', tenant.id),
      name: tenant.name,
      email: tenant.email,
      plan: tenant.plan,
      trialEndsAt: tenant.trial_ends_at.toISOString(),
      createdAt: tenant.created_at.toISOString(),
    };
  },
});
