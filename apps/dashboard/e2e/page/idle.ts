import type { Page } from 'playwright-core';

/** Lets so many seconds pass in a page whose clock is installed, and its requests be answered after each. */
export async function passSeconds(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await page.clock.runFor(1_000);
    // Answers need time that the clock of the page does not count.
    await page.evaluate(`fetch('${answered}', { method: 'HEAD', cache: 'no-store' }).then(() => 0)`);
  }
}

/** What is asked for meanwhile. */
export const answered = '/favicon.svg';
