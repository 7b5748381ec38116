import { conformance } from '../conformance.ts';
import type { WhatsappCloudSettings } from './settings.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

const secrets = {
  accessToken: 'EAAG+tok/5f3a9%',
  appSecret: 'app-secret-0123456789',
  verifyToken: 'verify me "now"',
};
const settings: WhatsappCloudSettings = { phoneNumberId: '106540352242922', ...secrets };
const taken = {
  status: 200,
  body: '{"messaging_product":"whatsapp","contacts":[{"input":"4915112345678","wa_id":"4915112345678"}],"messages":[{"id":"wamid.HBgN"}]}',
};

const cases = conformance({
  adapter: whatsappCloud,
  settings: () => settings,
  secrets: Object.values(secrets),
  http: { taken, externalId: 'wamid.HBgN' },
});

test.each(cases)('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
