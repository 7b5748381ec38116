import type { Page } from 'playwright-core';

/**
 * By how much the page is wider than its window, in px: what somebody on a phone would have to scroll sideways. After a change
 * of the window's width, the menu slides away first.
 */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const sliding = document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(sliding.map((one) => one.finished));
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  })()`);
}
