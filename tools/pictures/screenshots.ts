import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { live } from '../../apps/dashboard/e2e/screens/life.ts';
import type { Screen } from '../../apps/dashboard/e2e/screens/screen.ts';
import { screens } from '../../apps/dashboard/e2e/screens/screens.ts';
import type { Tenant } from '../../apps/dashboard/e2e/world/tenant.ts';
import { type Look, openWorld, type Page, type World } from '../../apps/dashboard/e2e/world/world.ts';
import start, { stop } from '../jest/test-services.ts';

/*
 * `npm run screenshots [-- name…]`: takes pictures of all views, or of those whose names begin with a given name, in
 * light and dark, 1280 and 360 wide, with its own service. It writes them to `screenshots` at the root.
 */

const folder = path.resolve(import.meta.dirname, '../../screenshots');
const looks = (['light', 'dark'] as const).flatMap((scheme) =>
  [1280, 360].map((width) => ({ scheme, width })),
);
const wanted = process.argv.slice(2);
const chosen = screens.filter(
  ({ name }) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)),
);

await start();
await mkdir(folder, { recursive: true });
try {
  await using world = await openWorld({ peers: ['twilio', 'telegram-bot', 'whatsapp-web'] });
  const newcomer = await world.registerTenant('Ada Lovelace');
  const tenant = await world.registerTenant('Lindenhof Bakery');
  await live(world, tenant);
  for (const look of looks) {
    await takeAll(world, screensAs('stranger'), look);
    await takeAll(world, screensAs('newcomer'), look, newcomer);
    await takeAll(world, screensAs('tenant'), look, tenant);
  }
  world.checkGuards();
} finally {
  await stop();
}
process.stdout.write(`${chosen.length * looks.length} pictures in ${folder}\n`);

function screensAs(as: Screen['as']): Screen[] {
  return chosen.filter((screen) => screen.as === as);
}

async function takeAll(world: World, own: readonly Screen[], look: Look, tenant?: Tenant): Promise<void> {
  if (own.length === 0) return;
  const page = await world.newPage({ ...look, ...(tenant === undefined ? {} : { tenant }) });
  // The font is used only if it is available at once. From the second page on it is in the cache.
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const window = page.viewportSize()!;
  for (const screen of own) {
    await page.setViewportSize(window);
    await page.goto(typeof screen.path === 'string' ? screen.path : await screen.path(world, tenant!));
    await screen.ready(page);
    await settled(page);
    const name = `${screen.name}-${look.scheme}-${look.width}.png`;
    await showAll(page, window.width);
    await page.screenshot({ path: path.join(folder, name) });
  }
  await page.context().close();
}

/**
 * Makes the window as high as the page. Otherwise elements fixed to the window would end in the middle of a longer
 * picture.
 */
async function showAll(page: Page, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height });
}

/** Waits until nothing is loading and the font is available. */
async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}
