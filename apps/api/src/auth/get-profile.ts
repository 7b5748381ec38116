import { Profile } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findTenant, type TenantRow } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const getProfile = defineRoute({
  operationId: 'auth.getProfile',
  method: 'get',
  path: '/auth/me',
  tag: 'Tenant',
  summary: 'Retrieve the profile',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Profile,
  problems: [],
  async handle({ caller }, { db, settings }: { db: Db; settings: Settings }) {
    const tenant = await findTenant(db, caller.tenantId);
    if (tenant === null) throw new Problem('unauthenticated');
    return profileOf(tenant, settings);
  },
});

/** A tenant as it sees itself. */
export function profileOf(tenant: TenantRow, settings: Settings): Profile {
  return {
    id: formatId('ten', tenant.id),
    name: tenant.name,
    email: tenant.email,
    plan: tenant.plan,
    trialEndsAt: tenant.trial_ends_at.toISOString(),
    createdAt: tenant.created_at.toISOString(),
    emailVerification: confirmationOf(tenant, settings),
  };
}

function confirmationOf(tenant: TenantRow, settings: Settings): Profile['emailVerification'] {
  if (tenant.email_verified_at !== null) return 'done';
  return settings.emailVerification === 'required' ? 'required' : 'off';
}
