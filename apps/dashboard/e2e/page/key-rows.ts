import type { Locator, Page } from 'playwright-core';
import type { World } from '../world/world.ts';

/** What the api says to a send. */
export interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string; readonly detail?: string };
}

/** The rows of the keys with this name. */
export function keyRow(page: Page, name: string): Locator {
  const rows = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
  return rows.filter({ has: page.getByText(name, { exact: true }) });
}

/** Sends a text with a key, by the sandbox. */
export async function sendWith({ url }: World, key: string, more: object = {}): Promise<Answer> {
  const answer = await fetch(`${url}/v1/notify/sms/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '+14155550100', text: 'Hello', ...more }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
