import {
  blockTenant,
  changeEmail,
  renameTenant,
  resetPassword,
  setPlan,
  unblockTenant,
} from '@notify/db/tenants';
import { type Command, CommandError } from './command.ts';
import { checkEmail, checkName, checkPlan } from './fields.ts';
import { passwordOption, takePassword } from './password.ts';
import { safeLine } from './safe-text.ts';
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

export const setNameCommand: Command = {
  name: 'set-name',
  words: ['tenant', 'name'],
  options: {},
  about: 'Sets the name of a tenant.',
  async run(input, { db }) {
    const name = checkName(input.words[1], '<name>');
    const tenant = await tenantOf(input, db);
    await renameTenant(db, tenant.id, name);
    return {
      value: shownTenant({ ...tenant, name }),
      text: `${tenant.email} now has the name ${safeLine(name)}`,
    };
  },
};

export const setEmailCommand: Command = {
  name: 'set-email',
  words: ['tenant', 'email'],
  options: {},
  about:
    'Sets the email address with which a tenant logs in. It counts as verified. Links mailed to the old address stop working. Sessions stay valid.',
  async run(input, { db }) {
    const email = checkEmail(input.words[1], '<email>');
    const tenant = await tenantOf(input, db);
    const change = { tenantId: tenant.id, newEmail: email, passwordHash: null, isConfirmed: true };
    if ((await changeEmail(db, change)) === 'email-taken')
      throw new CommandError(`${email} is already registered`);
    return {
      value: shownTenant({ ...tenant, email }),
      text: `${tenant.email} now has the email address ${email}`,
    };
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
