import { channelName } from '../../parts/channel-name.ts';
import { quoted, type SampleRequest } from './samples.ts';

/** The steps of a new tenant. */
export type StepName = 'connect' | 'key' | 'send' | 'webhook';

/** The tenant's own values. */
export interface OwnValues {
  /** The address of the api, such as `https://notify.example`. */
  readonly origin: string;
  /** A key that was created in this tab; null puts dots in its place. */
  readonly key: string | null;
  /** An access token; null leaves the variable `TOKEN` in its place. */
  readonly token: string | null;
  /** The account to send with. */
  readonly account: { readonly id: string; readonly channel: string } | null;
}

/** An example recipient on each channel. The numbers are unassigned. */
const recipients: Readonly<Record<string, string>> = {
  sms: '+14155550123',
  whatsapp: '+14155550123',
  telegram: '123456789',
};

/** The request of each step. */
export function requests({ origin, key, token, account }: OwnValues): Record<StepName, SampleRequest> {
  const channel = account?.channel ?? 'sms';
  const own = { kind: 'token', value: token } as const;
  return {
    connect: {
      url: `${origin}/v1/channel-accounts`,
      credential: own,
      body: { provider: 'telegram-bot', name: 'My bot', settings: { botToken: '123456:…' } },
    },
    key: { url: `${origin}/tenant/api-keys`, credential: own, body: { name: 'My app' } },
    send: {
      url: `${origin}/v1/notify/${channel}/text`,
      credential: { kind: 'key', value: key },
      body: {
        to: recipients[channel] ?? '',
        text: `Hello by ${channelName(channel)}`,
        ...(account === null ? {} : { channelAccountId: account.id }),
      },
    },
    webhook: {
      url: `${origin}/v1/webhooks`,
      credential: own,
      body: { url: 'https://example.com/notify' },
    },
  };
}

/** The shell command that gets a token with the password. */
export function tokenCommand(origin: string, email: string): string {
  const login = quoted(JSON.stringify({ email, password: '…' }));
  return [
    `TOKEN=$(curl -s ${origin}/auth/login`,
    `-H 'Content-Type: application/json'`,
    `-d ${login} |`,
    `sed 's/.*"accessToken":"\\([^"]*\\).*/\\1/')`,
  ].join(' \\\n  ');
}
