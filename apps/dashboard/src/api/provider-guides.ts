// Made by `npm run provider-guides` from the guide.ts of each provider in packages/channels.
/** The essentials about a provider for tenants, as the dashboard shows them. The provider's README has more. */
export interface ProviderGuide {
  /** The dashboard lists providers by this number: WhatsApp from 10, Telegram from 20, SMS from 30. */
  readonly place: number;
  /** A line on what it is and when to use it. */
  readonly summary: string;
  /** What to have at hand before starting, as the end of “You need”. */
  readonly needs: string;
  /** The steps at the provider before the form can be filled in. */
  readonly before: readonly string[];
  /** A risk to know in advance. */
  readonly caution?: string;
  /** Where to enter the callback URL. */
  readonly callback?: {
    readonly need: 'required' | 'optional';
    readonly steps: readonly string[];
    /** The provider asks for a verify token together with the URL. */
    readonly verifyToken?: boolean;
  };
}

/** By the id of the provider. */
export const guides: Readonly<Record<string, ProviderGuide>> = {
  'whatsapp-web': {
    place: 10,
    summary: 'Link a phone by scanning a QR code, as with WhatsApp Web. Sends and receives.',
    needs: 'a phone with WhatsApp that can scan a QR code, and a number you can afford to lose',
    before: [
      'Have the phone you’ll send from at hand, with WhatsApp set up.',
      'Connect the account here. The QR code comes next.',
    ],
    caution:
      'WhatsApp does not allow programs on linked devices and may ban the number. Use a number you can afford to lose, and message only people who expect it.',
  },
  'whatsapp-cloud': {
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
  },
  'telegram-bot': {
    place: 20,
    summary: 'Your own bot: people write to it, and you answer. Free, and ready in a minute.',
    needs: 'a bot’s token, which @BotFather gives you in Telegram',
    before: [
      'In Telegram, send /newbot to @BotFather, then choose a name and a username.',
      'Copy the token from its reply.',
    ],
    caution:
      'Only one program can read what people write to a bot. If another program reads it, set “Messages to the bot” to “Ignore” before you connect. Then this account only sends.',
  },
  twilio: {
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
  },
  vonage: {
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
  },
  'http-sms': {
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
  },
  sandbox: {
    place: 90,
    summary:
      'Simulates messages for testing. Sends nothing and costs nothing. On Telegram, messages end at Sent.',
    needs: 'nothing',
    before: ['Choose the channel to simulate.'],
  },
};
