import type { Page } from 'playwright-core';

/** By how much the page is wider than its window, in px: what somebody on a phone would have to scroll sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
