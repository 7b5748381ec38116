import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';
import type { Tenant } from '../world/tenant.ts';
import type { World } from '../world/world.ts';

/** The webhook that fares worst of those that are enabled: it has the most to show. */
async function worstWebhook(_world: World, tenant: Tenant): Promise<string> {
  const all = await tenant.ask<{ id: string; state: string; failureCount: number }[]>('GET', '/v1/webhooks');
  const [worst] = all
    .filter(({ state }) => state !== 'disabled')
    .toSorted((one, other) => other.failureCount - one.failureCount);
  return `/webhooks/${worst?.id}`;
}

const deliveriesShown = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await page.getByRole('main').locator('[aria-busy]').waitFor({ state: 'detached' });
};

const dialogBy = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').waitFor();
};

/** What there is to see of webhooks beyond their list. */
export const webhookScreens: readonly Screen[] = [
  { name: 'webhooks-add', as: 'newcomer', path: '/webhooks', ready: dialogBy('Add a webhook') },
  {
    name: 'webhooks-detail',
    as: 'tenant',
    path: worstWebhook,
    ready: async (page) => {
      await deliveriesShown(page);
      const first = page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { expanded: false });
      if ((await first.count()) > 0) await first.first().click();
    },
  },
  { name: 'webhooks-replay', as: 'tenant', path: worstWebhook, ready: dialogBy('Replay') },
  {
    name: 'webhooks-verify',
    as: 'tenant',
    path: '/webhooks/verify',
    ready: (page) => page.getByRole('heading', { name: 'curl' }).waitFor(),
  },
];
