import { conformance } from '../conformance.ts';
import type { WhatsappCloudSettings } from './settings.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

const secrets = {
  accessToken: 'EAAG+tok/5f3a9%',
  appSecret: 'app-secret-0123456789',
  verifyToken: 'verify me "now"',
};
const settings: WhatsappCloudSettings = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  ...secrets,
};
const taken = {
  status: 200,
  body: '{"messaging_product":"whatsapp","contacts":[{"input":"4915112345678","wa_id":"4915112345678"}],"messages":[{"id":"wamid.HBgN"}]}',
};

const page = {
  data: [
    {
      name: 'sale',
      language: 'en_US',
      status: 'REJECTED',
      category: 'MARKETING',
      parameter_format: 'POSITIONAL',
      rejected_reason: 'INVALID_FORMAT',
      id: '594425479261596',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'On {{1}}', example: { header_text: ['Monday'] } },
        { type: 'BODY', text: 'Hi {{1}}, {{2}}', example: { body_text: [['Ada', '10 %']] } },
        { type: 'FOOTER', text: 'Reply STOP' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Stop' },
            { type: 'URL', text: 'Open', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] },
            { type: 'COPY_CODE', text: 'Copy', example: ['25OFF'] },
            { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550109999' },
          ],
        },
      ],
    },
    {
      name: 'reminder',
      language: 'de',
      status: 'APPROVED',
      category: 'UTILITY',
      parameter_format: 'NAMED',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://a.example/a.png'] } },
        {
          type: 'BODY',
          text: 'Hi {{name}}',
          example: { body_text_named_params: [{ param_name: 'name', example: 'Ada' }] },
        },
      ],
    },
  ],
  paging: { cursors: { before: 'MAZDZD', after: 'MjQZD' } },
};
const endless = { ...page, paging: { cursors: { after: 'MjQZD' }, next: 'https://graph.facebook.com/next' } };

const cases = conformance({
  adapter: whatsappCloud,
  settings: () => settings,
  secrets: Object.values(secrets),
  http: { taken, externalId: 'wamid.HBgN' },
  templates: { page, endless },
});

test.each(cases)('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
