import type { Locator, Page } from 'playwright-core';

/** The input of exactly this label, in a form that marks with an asterisk what is required. */
export function inputOf(form: Locator | Page, label: string): Locator {
  return form.getByLabel(new RegExp(`^${label.replaceAll('?', '\\?')}( \\*)?$`));
}
