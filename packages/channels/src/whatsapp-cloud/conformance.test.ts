import { createHmac } from 'node:crypto';
import { callbackRequest, conformance } from '../../test/conformance/conformance.ts';
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

function signed(document: unknown) {
  const body = Buffer.from(JSON.stringify(document));
  const signature = createHmac('sha256', secrets.appSecret).update(body).digest('hex');
  return callbackRequest({ body, headers: { 'x-hub-signature-256': `sha256=${signature}` } });
}

const callbackOf = (...messages: readonly object[]) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: settings.businessAccountId,
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { display_phone_number: '15550109999', phone_number_id: settings.phoneNumberId },
            contacts: [
              { profile: { name: 'Ada', username: '@ada' }, wa_id: '4915112345678', user_id: 'DE.1' },
            ],
            messages: messages.map((message) => ({
              from: '4915112345678',
              from_user_id: 'DE.1',
              timestamp: '1769860800',
              id: 'wamid.1',
              ...message,
            })),
            statuses: [{ id: 'wamid.9', status: 'failed', errors: [{ code: 131026, title: 'x' }] }],
          },
        },
      ],
    },
  ],
});

const everything = callbackOf(
  { type: 'text', text: { body: 'Hi' }, context: { id: 'wamid.0' } },
  { type: 'document', document: { id: '1', mime_type: 'application/pdf', filename: 'a.pdf', caption: 'c' } },
  { type: 'location', location: { latitude: 1, longitude: 2, name: 'a', address: 'b' } },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'Bo' }, phones: [{ phone: '+1', wa_id: '1' }] }] },
  { type: 'button', button: { text: 'a', payload: 'b' } },
  { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'a', title: 'b' } } },
  { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { body: 'a', response_json: '{}' } } },
  { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } },
  { type: 'system', system: { type: 'user_changed_number', wa_id: '1' } },
  { type: 'unsupported', unsupported: { type: 'poll' }, errors: [{ code: 131051 }] },
  { type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
);

const cases = conformance({
  adapter: whatsappCloud,
  settings: () => settings,
  secrets: Object.values(secrets),
  http: { taken, externalId: 'wamid.HBgN' },
  uploaded: { answer: { status: 200, body: '{"id":"1166846181421424"}' }, id: '1166846181421424' },
  press: (id, externalId) =>
    signed(
      callbackOf({
        id: 'wamid.2',
        type: 'interactive',
        context: { id: externalId },
        interactive: { type: 'button_reply', button_reply: { id, title: 'Yes' } },
      }),
    ),
  told: { status: 200, body: '{"success":true}' },
  templates: { page, endless },
  inbound: {
    text: (id, body) => signed(callbackOf({ id, type: 'text', text: { body } })),
    unknown: signed(callbackOf({ type: 'hologram', hologram: {} })),
    document: { value: everything, sign: signed },
    file: { id: '1003383421387256' },
  },
});

test.each(cases)('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
