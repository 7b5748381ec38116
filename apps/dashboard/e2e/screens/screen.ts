import type { Page } from 'playwright-core';
import type { Tenant } from '../world/tenant.ts';
import type { World } from '../world/world.ts';

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
