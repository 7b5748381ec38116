import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 39,
  summary:
    'Any SMS gateway with an HTTP API. Kannel, Telnyx, SMSGate, Plivo, Infobip, Sinch and Africa’s Talking need only their credentials.',
  needs: 'the credentials of your gateway, and its URL and API documentation if it is not one of these',
  before: [
    'Have the credentials of the gateway at hand. Of a gateway that is not in the list, also the URL and the documentation of its API.',
    'Under Gateway, choose yours by name, or the kind of request that its documentation shows. The preview shows the request that your settings make.',
  ],
  callback: {
    need: 'optional',
    steps: [
      'For delivery receipts, each request contains this URL wherever the settings have {{dlr_url}}. Kannel, Telnyx, Plivo, Infobip and Sinch get it automatically.',
      'If your gateway sends receipts to one fixed URL, as SMSGate and Africa’s Talking do, configure this URL there. SMSGate: register it as a webhook for sms:sent, sms:delivered and sms:failed.',
      'To receive messages with Kannel, add an sms-service group with this URL to kannel.conf. With any other gateway, configure this URL for incoming messages (SMSGate: for sms:received). If the gateway is not in the list, describe them under More settings → Incoming messages.',
      'If your gateway signs its callbacks, enter the key under Settings, or choose Signature of callbacks under More settings. Forged callbacks then get 404.',
    ],
  },
};
