import type { Page } from 'playwright-core';

/** The secret that a dialog shows. */
export async function shownSecret(page: Page): Promise<string> {
  const shown = page.getByRole('dialog').locator('pre').first();
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
}

/** Closes the dialog with a secret, looks once more, then says that it is saved. */
export async function leaveSecret(page: Page, what: string): Promise<void> {
  const question = page.getByRole('dialog', { name: `Have you saved the ${what}?` });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Show it again' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}
