import { blockTenant, resetPassword, setPlan, unblockTenant } from '@notify/db/tenants';
import type { Command } from './command.ts';
import { checkPlan } from './fields.ts';
import { passwordOption, takePassword } from './password.ts';
import { shownTenant, tenantOf } from './tenants.ts';

export const setPlanCommand: Command = {
  name: 'set-plan',
  words: ['tenant', 'plan'],
  options: {},
  about: 'Sets the plan of a tenant. With any plan but "trial" it can send after its trial.',
  async run(input, { db }) {
    const plan = checkPlan(input.words[1]);
    const tenant = await tenantOf(input, db);
    await setPlan(db, tenant.id, plan);
    return { value: shownTenant({ ...tenant, plan }), text: `${tenant.email} now has the plan ${plan}` };
  },
};

export const blockCommand: Command = {
  name: 'block',
  words: ['tenant'],
  options: {},
  about: 'Blocks a tenant: its sessions and keys are rejected, and its messages wait.',
  async run(input, { db }) {
    const tenant = await tenantOf(input, db);
    await blockTenant(db, tenant.id);
    return { value: shownTenant(await tenantOf(input, db)), text: `${tenant.email} is blocked` };
  },
};

export const unblockCommand: Command = {
  name: 'unblock',
  words: ['tenant'],
  options: {},
  about: 'Unblocks a tenant. Its waiting messages are sent.',
  async run(input, { db, wake }) {
    const tenant = await tenantOf(input, db);
    // A failed wake is only a delay, because the workers' sweepers find overdue work.
    await wake('dispatch', await unblockTenant(db, tenant.id)).catch(() => undefined);
    return { value: shownTenant(await tenantOf(input, db)), text: `${tenant.email} is no longer blocked` };
  },
};

export const resetPasswordCommand: Command = {
  name: 'reset-password',
  words: ['tenant'],
  options: { password: passwordOption },
  about: 'Sets a new password and ends every session.',
  async run(input, { db, hash, readLine }) {
    const tenant = await tenantOf(input, db);
    const { password, shown } = await takePassword(input, tenant, readLine);
    await resetPassword(db, tenant.id, await hash(password));
    const text = `${tenant.email} has a new password${shown.password === undefined ? '' : `: ${password}`}`;
    return { value: { ...shownTenant(tenant), ...shown }, text };
  },
};
