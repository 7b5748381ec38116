import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Opens the form of a new key, or token, with all that narrows it. */
const narrowing = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Cold store');
  const some = form.getByLabel('Only these accounts', { exact: true });
  if ((await some.count()) > 0) await some.check();
  await form.getByLabel('Expires', { exact: true }).selectOption('At a date and time');
  for (const address of ['203.0.113.0/24', 'next door']) {
    await form.getByRole('button', { name: 'Add an address' }).click();
    await form.getByRole('textbox', { name: 'Address' }).last().fill(address);
  }
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.getByText(/^Enter a date and time/).waitFor();
};

/** API keys and service tokens. */
export const credentialScreens: readonly Screen[] = [
  { name: 'keys', as: 'tenant', path: '/keys', ready: heading('API keys') },
  { name: 'keys-create', as: 'newcomer', path: '/keys', ready: narrowing('Create a key') },
  {
    name: 'keys-rotate',
    as: 'tenant',
    path: '/keys',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Rotate Web shop' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'tokens', as: 'tenant', path: '/tokens', ready: heading('Service tokens') },
  { name: 'tokens-none', as: 'newcomer', path: '/tokens', ready: heading('Service tokens') },
  { name: 'tokens-create', as: 'newcomer', path: '/tokens', ready: narrowing('Create a token') },
  {
    name: 'tokens-new',
    as: 'newcomer',
    path: '/tokens',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create a token' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name', { exact: true }).fill('laptop');
      await form.getByRole('button', { name: 'Command line' }).click();
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await page.locator('pre').first().waitFor();
    },
  },
];
