import type { Provider } from '../../api/schema.ts';
import { channelName } from '../../parts/channel-name.ts';

/** What a tenant should know of a provider; the providers' READMEs say more. */
export interface ProviderGuide {
  /** What it is and for whom, in a line. */
  readonly summary: string;
  /** What is to be done at the provider before the form can be filled in. */
  readonly before: readonly string[];
  /** What could be regretted later. */
  readonly caution?: string;
  /** Where the callback URL is to be entered. */
  readonly callback?: {
    readonly need: 'required' | 'optional' | 'automatic';
    readonly steps: readonly string[];
    /** The provider asks for a verify token with it. */
    readonly verifyToken?: boolean;
  };
}

const guides: Readonly<Record<string, ProviderGuide>> = {
  'whatsapp-web': {
    summary: 'Link a phone by scanning a QR code, as with WhatsApp Web.',
    before: [
      'Take the phone whose number shall send. WhatsApp must be set up on it.',
      'Connect the account here; its QR code comes next.',
    ],
    caution:
      'WhatsApp does not allow programs on linked devices and may ban the number. Link a number whose loss you can bear, and write to people who expect it.',
  },
  'whatsapp-cloud': {
    summary: 'Meta’s official API, with a number of a WhatsApp Business account.',
    before: [
      'In Meta’s App Dashboard make an app of type Business and add WhatsApp. Under WhatsApp → API Setup register your number and copy its phone number ID.',
      'In Business Settings → System users make a user with full control of the app and the WhatsApp account, and generate a token that never expires, with whatsapp_business_messaging.',
      'Copy the app secret under App settings → Basic.',
    ],
    callback: {
      need: 'required',
      steps: [
        'At Meta, under WhatsApp → Configuration, enter this callback URL and the verify token.',
        'Press “Verify and save”, then subscribe to the field “messages”.',
      ],
      verifyToken: true,
    },
  },
  'telegram-bot': {
    summary: 'Send as a bot of your own. Free, and ready in a minute.',
    before: [
      'In Telegram, write /newbot to @BotFather, and choose a name and a user name.',
      'Copy the token that it answers with.',
    ],
  },
  twilio: {
    summary: 'SMS worldwide by Twilio, with delivery reports.',
    before: [
      'In the Twilio console, under Account → API keys & tokens, copy the Account SID and the auth token.',
      'Choose a sender: a number of the account, a short code, a name, or a Messaging Service.',
    ],
    callback: {
      need: 'optional',
      steps: [
        'Delivery reports need nothing at Twilio.',
        'To notice STOP and START at once, enter this URL as the webhook for incoming messages of the number or Messaging Service.',
      ],
    },
  },
  vonage: {
    summary: 'SMS worldwide by Vonage’s Messages API, with delivery reports.',
    before: [
      'In the Vonage dashboard, create an application with the Messages capability and generate its key pair; the private key is downloaded once.',
      'Link the number you send from to the application.',
      'Copy the signature secret from the settings of your Vonage account.',
    ],
    callback: {
      need: 'required',
      steps: ['Enter this URL as the Status URL of the application.'],
    },
  },
  'http-sms': {
    summary: 'Any SMS gateway that takes a message by one HTTP request; Kannel by its profile.',
    before: [
      'Have the address of the gateway at hand, its credentials, and its page about sending.',
      'For Kannel choose its profile. For any other, say what to send with {{to}} and {{text}} as placeholders.',
    ],
    callback: {
      need: 'automatic',
      steps: [
        'Each message carries this URL where the settings have {{dlr_url}}; Kannel gets it by itself.',
        'Give it to a gateway that reports to one fixed address.',
      ],
    },
  },
  sandbox: {
    summary: 'Sends nothing and costs nothing: for trying things out.',
    before: ['Choose the channel that it shall stand in for.'],
  },
};

const unknown: ProviderGuide = { summary: '', before: [] };

export function guideOf(provider: string): ProviderGuide {
  return guides[provider] ?? unknown;
}

/** For which channels a provider is, as it is written. */
export function channelNameOf({ channel }: Pick<Provider, 'channel'>): string {
  return channel === 'any' ? 'Any channel' : channelName(channel);
}

const order = Object.keys(guides);

/** Providers in the order in which they are offered; those without a guide come last. */
export function inOrder<T extends Pick<Provider, 'id'>>(providers: readonly T[]): T[] {
  const place = ({ id }: T): number => {
    const at = order.indexOf(id);
    return at === -1 ? order.length : at;
  };
  return providers.toSorted((one, other) => place(one) - place(other));
}

/** What accounts of a provider can do, in words. */
export function abilitiesOf({ capabilities }: Pick<Provider, 'capabilities'>): string[] {
  return [
    capabilities.media ? 'Text and files' : 'Text',
    ...(capabilities.reportsDelivery ? ['Delivery reports'] : []),
    ...(capabilities.reportsRead ? ['Read reports'] : []),
  ];
}
