import type { Screen } from './screen.ts';
import type { Tenant } from '../world/tenant.ts';

const newest = (query: string) => async (_world: unknown, tenant: Tenant) => {
  const { data } = await tenant.ask<{ data: readonly { messageId: string }[] }>(
    'GET',
    `/v1/messages?limit=1&${query}`,
  );
  return `/messages/${data[0]?.messageId}`;
};

/** The messages, one that arrived, one that failed, those of one error code, and sending one. */
export const messageScreens: readonly Screen[] = [
  {
    name: 'messages',
    as: 'tenant',
    path: '/messages',
    ready: (page) => page.getByRole('table', { name: 'Messages' }).getByRole('row').nth(9).waitFor(),
  },
  {
    name: 'messages-detail',
    as: 'tenant',
    path: newest('status=delivered&channel=whatsapp'),
    ready: (page) => page.getByRole('list', { name: 'Timeline' }).waitFor(),
  },
  {
    name: 'messages-failed',
    as: 'tenant',
    path: newest('status=failed&channel=sms'),
    ready: (page) => page.getByText(/^Failed: /).waitFor(),
  },
  {
    name: 'messages-selected',
    as: 'tenant',
    path: '/messages?status=failed&errorCode=recipient-rejected',
    ready: (page) => page.getByRole('checkbox', { name: 'Select all messages shown' }).check(),
  },
  {
    name: 'messages-send',
    as: 'tenant',
    path: '/messages',
    async ready(page) {
      await page.getByRole('button', { name: 'Send test message' }).first().click();
      await page.getByRole('dialog').getByLabel('Recipient', { exact: true }).waitFor();
    },
  },
  {
    name: 'messages-send-buttons',
    as: 'tenant',
    path: '/messages',
    async ready(page) {
      await page.getByRole('button', { name: 'Send test message' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Recipient', { exact: true }).waitFor();
      await dialog.getByText('Buttons or list', { exact: true }).click();
      await dialog.getByRole('group', { name: 'Preview', exact: true }).waitFor();
    },
  },
  {
    name: 'messages-none',
    as: 'newcomer',
    path: '/messages',
    ready: (page) => page.getByText('No messages yet').waitFor(),
  },
];
