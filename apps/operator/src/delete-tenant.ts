import { formatId } from '@notify/core';
import { deleteTenant, type Holdings, holdingsOf, type TenantRow } from '@notify/db/tenants';
import { type Command, CommandError, type Input, type OperatorDeps } from './command.ts';
import { safeLine } from './safe-text.ts';
import { shownTenant, tenantOf } from './tenants.ts';

export const deleteTenantCommand: Command = {
  name: 'tenant delete',
  words: ['tenant'],
  options: { confirm: 'the name or email address of the tenant, instead of the question for it' },
  flags: { 'dry-run': 'tells what it would delete, and deletes nothing' },
  about:
    'Deletes a tenant and everything it has, permanently, as the tenant can do in its settings. Asks for its name first. "tenant export" keeps a copy.',
  async run(input, deps) {
    const tenant = await tenantOf(input, deps.db);
    const holdings = await holdingsOf(deps.db, tenant.id);
    const what = `${named(tenant)}, with ${heldText(holdings)}`;
    const value = { ...shownTenant(tenant), ...holdings };
    if (input.flags.has('dry-run'))
      return {
        value: { ...value, deleted: false },
        text: `would delete ${what}\n${laterText('would go')}`,
      };
    await demandConfirmation(input, tenant, what, deps);
    await deleteTenant(deps.db, tenant.id);
    return { value: { ...value, deleted: true }, text: `deleted ${what}\n${laterText('go')}` };
  },
};

/** Throws a CommandError unless the operator has named the tenant a second time. */
async function demandConfirmation(
  { options }: Input,
  tenant: TenantRow,
  what: string,
  { ask }: OperatorDeps,
): Promise<void> {
  const question = `This deletes ${what}. It cannot be undone.\nType the name of the tenant to go on (${safeLine(tenant.name)}): `;
  const given = options.confirm ?? (await ask(question));
  if (given === null)
    throw new CommandError(
      'nothing was deleted: without a terminal, --confirm must give the name or email address of the tenant',
    );
  const isNamed =
    given.trim() === tenant.name.trim() || given.trim().toLowerCase() === tenant.email.toLowerCase();
  if (!isNamed)
    throw new CommandError(`nothing was deleted: "${safeLine(given)}" is not the name of ${tenant.email}`);
}

function named({ id, name, email }: TenantRow): string {
  return `${email} (${safeLine(name)}, ${formatId('ten', id)})`;
}

/** What goes at once. */
function heldText(holdings: Holdings): string {
  const parts = [
    several(holdings.apiKeys, 'API key'),
    several(holdings.serviceTokens, 'service token'),
    several(holdings.channelAccounts, 'channel account'),
    several(holdings.webhooks, 'webhook'),
    several(holdings.waitingMessages, 'waiting message'),
  ];
  return `${parts.join(', ')} and ${several(holdings.waitingDeliveries, 'waiting delivery', 'waiting deliveries')}`;
}

function laterText(go: string): string {
  return `Its messages, conversations, events and figures ${go} within an hour: a dispatch worker removes them.`;
}

function several(count: number, thing: string, things = `${thing}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? thing : things}`;
}
