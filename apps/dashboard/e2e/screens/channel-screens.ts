import { inputOf } from '../page/input-of.ts';
import type { Screen } from './screen.ts';
import type { Tenant } from '../world/tenant.ts';

interface Account {
  readonly id: string;
  readonly name: string;
}

/** The tenant's account of that name; made where there is none, for pictures are taken several times. */
async function accountOf(tenant: Tenant, name: string, provider: string, settings: object): Promise<string> {
  const all = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
  const known = all.find((account) => account.name === name);
  if (known !== undefined) return known.id;
  const made = await tenant.ask<Account>('POST', '/v1/channel-accounts', { provider, name, settings });
  return made.id;
}

/** The path of the templates of the sandbox on WhatsApp. */
async function templatesOf(tenant: Tenant): Promise<string> {
  const all = await tenant.ask<(Account & { channel: string; provider: string })[]>(
    'GET',
    '/v1/channel-accounts',
  );
  const sandbox = all.find(({ channel, provider }) => channel === 'whatsapp' && provider === 'sandbox');
  return `/channels/${sandbox?.id}/templates`;
}

/** Connecting accounts, and accounts in several states. Their providers are peers. */
export const channelScreens: readonly Screen[] = [
  {
    name: 'channels-connect',
    as: 'newcomer',
    path: '/channels/connect/twilio',
    ready: (page) => inputOf(page, 'Account SID').waitFor(),
  },
  {
    name: 'channels-gateway',
    as: 'newcomer',
    path: '/channels/connect/http-sms',
    async ready(page) {
      await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://gateway.example/messages');
      await page.getByLabel('Gateway', { exact: true }).selectOption('POST with JSON and a bearer token');
      await page.getByRole('group', { name: 'Preview of the request' }).waitFor();
    },
  },
  {
    name: 'channels-account',
    as: 'newcomer',
    async path(world, tenant) {
      const { settings } = world.peers.twilio!;
      const id = await accountOf(tenant, 'Shop SMS', 'twilio', settings);
      await tenant.ask('POST', `/v1/channel-accounts/${id}/verify`);
      return `/channels/${id}`;
    },
    ready: (page) => page.getByText('Default for SMS').waitFor(),
  },
  {
    name: 'channels-quiet-hours',
    as: 'newcomer',
    async path(world, tenant) {
      return `/channels/${await accountOf(tenant, 'Shop SMS', 'twilio', world.peers.twilio!.settings)}`;
    },
    async ready(page) {
      await page.getByRole('button', { name: 'Set quiet hours' }).click();
      await inputOf(page.getByRole('dialog'), 'From').waitFor();
    },
  },
  {
    name: 'channels-refused',
    as: 'newcomer',
    async path(_world, tenant) {
      const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsax';
      return `/channels/${await accountOf(tenant, 'Order updates', 'telegram-bot', { botToken })}`;
    },
    async ready(page) {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'channels-link',
    as: 'newcomer',
    async path(_world, tenant) {
      const id = await accountOf(tenant, 'Shop phone', 'whatsapp-web', {});
      await tenant.ask('POST', `/v1/channel-accounts/${id}/link`, {});
      return `/channels/${id}`;
    },
    ready: (page) => page.getByRole('img', { name: 'QR code that links a phone' }).waitFor(),
  },
  {
    name: 'channels-templates',
    as: 'newcomer',
    path: (_world, tenant) => templatesOf(tenant),
    ready: (page) => page.getByRole('table', { name: 'Templates' }).waitFor(),
  },
  {
    name: 'channels-template',
    as: 'newcomer',
    path: async (_world, tenant) => `${await templatesOf(tenant)}/appointment_reminder/en`,
    ready: (page) => page.getByRole('group', { name: 'Preview' }).waitFor(),
  },
  {
    name: 'channels-template-send',
    as: 'newcomer',
    path: async (_world, tenant) => `${await templatesOf(tenant)}/appointment_reminder/en`,
    async ready(page) {
      await page.getByRole('button', { name: 'Send test message' }).click();
      await page.getByRole('dialog').getByRole('group', { name: 'Preview' }).waitFor();
    },
  },
];
