import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 39,
  summary: 'Any SMS gateway with an HTTP API. Kannel needs no description of its requests.',
  needs: 'the URL, the credentials and the API documentation of your gateway',
  before: [
    'Have the URL, the credentials and the send API documentation of the gateway at hand.',
    'Under Gateway, choose the kind of request that its documentation shows, or Kannel. The preview shows the request that your settings make.',
  ],
  callback: {
    need: 'optional',
    steps: [
      'For delivery receipts, each request contains this URL wherever the settings have {{dlr_url}}. Kannel gets it automatically.',
      'If your gateway sends receipts to one fixed URL, configure this URL there.',
      'To receive messages with Kannel, add an sms-service group with this URL to kannel.conf. With any other gateway, configure this URL for incoming messages and describe them under More settings → Incoming messages.',
    ],
  },
};
