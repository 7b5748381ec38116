import type { Page } from 'playwright-core';
import { channelScreens } from './channel-screens.ts';
import { conversationScreens } from './conversation-screens.ts';
import { credentialScreens } from './credential-screens.ts';
import { messageScreens } from './message-screens.ts';
import type { Screen } from './screen.ts';
import type { Tenant } from '../world/tenant.ts';
import { webhookScreens } from './webhook-screens.ts';

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

const routes = (page: Page) => page.getByRole('list', { name: 'Routes' }).waitFor();
const newest = (list: 'verifications' | 'groups') => async (_world: unknown, tenant: Tenant) => {
  const { data } = await tenant.ask<{ data: readonly { id: string }[] }>('GET', `/v1/${list}?limit=1`);
  return `/${list}/${data[0]?.id}`;
};

/** Every view. Whoever adds one adds it here. */
export const screens: readonly Screen[] = [
  { name: 'login', as: 'stranger', path: '/login', ready: heading('Log in') },
  { name: 'register', as: 'stranger', path: '/register', ready: heading('Register') },
  {
    name: 'forgot-password',
    as: 'stranger',
    path: '/forgot-password',
    ready: heading('Forgotten password'),
  },
  {
    name: 'reset-password',
    as: 'stranger',
    path: '/reset-password#lnk_0',
    ready: heading('New password'),
  },
  { name: 'verify-email', as: 'stranger', path: '/verify-email#lnk_0', ready: heading('Verify email') },
  {
    name: 'first-steps',
    as: 'newcomer',
    path: '/overview',
    ready: (page) => page.getByRole('heading', { name: 'Get started' }).waitFor(),
  },
  {
    name: 'overview',
    as: 'tenant',
    path: '/overview',
    ready: (page) => page.locator('.recharts-surface').first().waitFor(),
  },
  {
    name: 'overview-30d',
    as: 'tenant',
    path: '/overview?period=30d',
    ready: (page) => page.locator('.recharts-surface').first().waitFor(),
  },
  { name: 'channels', as: 'tenant', path: '/channels', ready: heading('Channels') },
  ...channelScreens,
  ...messageScreens,
  ...conversationScreens,
  ...credentialScreens,
  { name: 'webhooks', as: 'tenant', path: '/webhooks', ready: heading('Webhooks') },
  ...webhookScreens,
  { name: 'verifications', as: 'tenant', path: '/verifications', ready: heading('Verifications') },
  { name: 'verifications-detail', as: 'tenant', path: newest('verifications'), ready: routes },
  { name: 'groups', as: 'tenant', path: '/groups', ready: heading('Fallback groups') },
  { name: 'groups-detail', as: 'tenant', path: newest('groups'), ready: routes },
  {
    name: 'settings',
    as: 'tenant',
    path: '/settings',
    ready: (page) => page.getByText('This browser').waitFor(),
  },
  {
    name: 'commands',
    as: 'tenant',
    path: '/settings',
    ready: async (page) => {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').waitFor();
    },
  },
  {
    name: 'shortcuts',
    as: 'tenant',
    path: '/settings',
    ready: async (page) => {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
    },
  },
  { name: 'not-found', as: 'tenant', path: '/settings/nothing', ready: heading('Not found') },
];
