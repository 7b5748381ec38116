import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Gives the tenant of the screenshots a past: accounts, keys, webhooks, messages. */
export async function live(world: World, tenant: Tenant): Promise<void> {
  await tenant.ask('POST', '/tenant/api-keys', { name: 'Web shop' });
  await tenant.ask('POST', '/v1/webhooks', { url: world.receiver.url });
}
