import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 11,
  summary: 'Meta’s official API, with a WhatsApp Business number.',
  needs: 'a Meta business app, a registered number, a system user’s token and the app secret',
  before: [
    'In Meta’s App Dashboard, create an app of type Business and add WhatsApp. Under WhatsApp → API Setup, register your number. Copy its phone number ID and, for templates, the WhatsApp Business account ID.',
    'Under Business Settings → System users, create a user with full control of the app and the WhatsApp account. Generate a token that never expires, with the permissions whatsapp_business_messaging and whatsapp_business_management.',
    'Under App settings → Basic, copy the app secret.',
  ],
  callback: {
    need: 'required',
    steps: [
      'In Meta’s App Dashboard, under WhatsApp → Configuration, enter this callback URL and the verify token.',
      'Click “Verify and save”, then subscribe to the fields “messages” and “message_template_status_update”.',
    ],
    verifyToken: true,
  },
};
