import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 30,
  summary: 'SMS worldwide through Twilio, in both directions, with delivery receipts.',
  needs: 'a Twilio account: its Account SID, its auth token and a sender',
  before: [
    'In the Twilio console, under Account → API keys & tokens, copy the Account SID and the auth token.',
    'Choose a sender: a number of the account, a short code, an alphanumeric sender ID, or a Messaging Service.',
  ],
  callback: {
    need: 'optional',
    steps: [
      'Delivery receipts need no setup at Twilio.',
      'To receive messages, STOP and START included, enter this URL as the webhook for incoming messages of the number or Messaging Service, with method POST.',
    ],
  },
};
