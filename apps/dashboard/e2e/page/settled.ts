import { until } from '@notify/testkit';
import type { Locator, Page } from 'playwright-core';

/** Waits until the address has this query: the browser tells it a moment after the page shows what it leads to. */
export async function untilSearch(page: Page, search: string): Promise<void> {
  await page.waitForURL((url) => url.search === search);
}

/** Waits until there are exactly so many: for a moment, what was shown before may still be there. */
export async function untilCount(found: Locator, count: number): Promise<void> {
  await until(async () => (await found.count()) === count);
}
