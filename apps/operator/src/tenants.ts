import { formatId } from '@notify/core';
import { createSandboxAccounts } from '@notify/db/accounts';
import {
  createTenant,
  findTenantBy,
  type Holdings,
  holdingsOf,
  listTenants,
  confirmEmail,
  setPlan,
  type TenantRow,
} from '@notify/db/tenants';
import { type Command, CommandError, type Input, type OperatorDeps } from './command.ts';
import { checkEmail, checkName, checkPlan } from './fields.ts';
import { list, table } from './rows.ts';
import { passwordOption, takePassword } from './password.ts';

export const createTenantCommand: Command = {
  name: 'tenant create',
  words: [],
  options: {
    name: 'the name of the tenant',
    email: 'the email address to log in with',
    password: passwordOption,
    plan: 'the plan, by default trial',
  },
  required: ['name', 'email'],
  about: 'Creates a tenant, even if REGISTRATION is closed. Its email address counts as verified.',
  async run({ options }, { db, settings, hash, secrets, readLine }) {
    const name = checkName(options.name);
    const email = checkEmail(options.email);
    const plan = checkPlan(options.plan ?? 'trial');
    const { password, shown: shownPassword } = await takePassword({ options }, { name, email }, readLine);
    const passwordHash = await hash(password);
    const sealer = settings.sandbox ? await secrets() : null;
    const tenant = await db.transaction().execute(async (trx) => {
      const created = await createTenant(trx, { name, email, passwordHash, trialDays: settings.trialDays });
      if (created === null) throw new CommandError(`${email} is already registered`);
      if (sealer !== null) await createSandboxAccounts(trx, sealer, created.id);
      await setPlan(trx, created.id, plan);
      await confirmEmail(trx, created.id);
      return { ...created, plan };
    });
    const shown = { ...shownTenant(tenant), ...shownPassword };
    return { value: shown, text: list(shown) };
  },
};

export const listTenantsCommand: Command = {
  name: 'tenant list',
  words: [],
  options: {},
  about: 'Lists every tenant, oldest first.',
  async run(_input, { db }) {
    const tenants = (await listTenants(db)).map(shownTenant);
    return { value: tenants, text: tenants.length === 0 ? 'no tenants' : table(tenants) };
  },
};

export const showTenantCommand: Command = {
  name: 'tenant show',
  words: ['tenant'],
  options: {},
  about: 'Shows a tenant and counts its keys, accounts, webhooks and messages.',
  async run(input, { db }) {
    const tenant = await tenantOf(input, db);
    const holdings: Holdings = await holdingsOf(db, tenant.id);
    const shown = { ...shownTenant(tenant), ...holdings };
    return { value: shown, text: list(shown) };
  },
};

/** The tenant that the first word names, by id or email address. Throws a CommandError if there is none. */
export async function tenantOf(input: Input, db: OperatorDeps['db']): Promise<TenantRow> {
  const [wanted = ''] = input.words;
  const tenant = await findTenantBy(db, wanted);
  if (tenant === null) throw new CommandError(`no such tenant: ${wanted}`);
  return tenant;
}

/** A tenant as the operator sees it. */
export interface ShownTenant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: string;
  readonly trialEndsAt: Date;
  readonly blockedAt: Date | null;
  readonly createdAt: Date;
}

/** Shows a tenant's row. */
export function shownTenant(tenant: TenantRow): ShownTenant {
  return {
    id: formatId('ten', tenant.id),
    email: tenant.email,
    name: tenant.name,
    plan: tenant.plan,
    trialEndsAt: tenant.trial_ends_at,
    blockedAt: tenant.blocked_at,
    createdAt: tenant.created_at,
  };
}
