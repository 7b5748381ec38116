import type { Page } from 'playwright-core';

const choose = (choices: string): string => `(() => {
  for (const [label, value] of ${choices}) {
    const select = document.querySelector('select[aria-label="' + label + '"]');
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }
})()`;

/** Chooses options, by the labels of their selects, in one moment: the page shows no choice before the next one. */
export async function selectAtOnce(page: Page, choices: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(choose(JSON.stringify(Object.entries(choices))));
}
