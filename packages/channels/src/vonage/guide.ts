import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 31,
  summary: 'SMS worldwide through Vonage’s Messages API, in both directions, with delivery receipts.',
  needs: 'a Vonage application with its private key, a number linked to it, and the signature secret',
  before: [
    'In the Vonage dashboard, create an application with the Messages capability and generate its key pair. The private key can be downloaded only once.',
    'Link the number you’ll send from to the application.',
    'Copy the signature secret from the settings of your Vonage account.',
  ],
  callback: {
    need: 'required',
    steps: [
      'Enter this URL as the Status URL of the application, for delivery receipts.',
      'To receive messages, enter it as the Inbound URL too, and set “Default SMS setting” of your Vonage account to “Messages API”.',
    ],
  },
};
