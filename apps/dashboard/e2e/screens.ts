import type { Page } from 'playwright-core';
import { channelScreens } from './channel-screens.ts';
import { messageScreens } from './message-screens.ts';
import { webhookScreens } from './webhook-screens.ts';
import type { World } from './world.ts';
import type { Tenant } from './tenant.ts';

/** One view, as a picture is taken of it. */
export interface Screen {
  /** Names the picture: `settings`, `webhooks-detail`. */
  readonly name: string;
  /** Who looks: nobody, a tenant that has just registered, or one with a life behind it. */
  readonly as: 'stranger' | 'newcomer' | 'tenant';
  /** The path, or what finds it. */
  readonly path: string | ((world: World, tenant: Tenant) => Promise<string>);
  /** Resolves when the view shows all that it will; opens dialogs and the like. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Every view. Whoever adds one adds it here. */
export const screens: readonly Screen[] = [
  { name: 'login', as: 'stranger', path: '/login', ready: heading('Log in') },
  { name: 'register', as: 'stranger', path: '/register', ready: heading('Register') },
  {
    name: 'first-steps',
    as: 'newcomer',
    path: '/overview',
    ready: (page) => page.getByRole('heading', { name: 'First steps' }).waitFor(),
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
  { name: 'keys', as: 'tenant', path: '/keys', ready: heading('API keys') },
  { name: 'webhooks', as: 'tenant', path: '/webhooks', ready: heading('Webhooks') },
  ...webhookScreens,
  {
    name: 'settings',
    as: 'tenant',
    path: '/settings',
    ready: (page) => page.getByText('This browser').waitFor(),
  },
  { name: 'not-found', as: 'tenant', path: '/settings/nothing', ready: heading('Not found') },
];
