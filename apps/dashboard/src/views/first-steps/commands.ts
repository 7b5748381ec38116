/** The steps of a new tenant. */
export type StepName = 'connect' | 'key' | 'send' | 'webhook';

/** The tenant's own values. */
export interface OwnValues {
  /** The address of the api, such as `https://notify.example`. */
  readonly origin: string;
  readonly email: string;
  /** A key that was created in this tab; null puts dots in its place. */
  readonly key: string | null;
  /** The account to send with. */
  readonly account: { readonly id: string; readonly channel: string } | null;
}

const json = "-H 'Content-Type: application/json'";
const bearer = '-H "Authorization: Bearer $TOKEN"';

/** An example recipient on each channel. The numbers are unassigned. */
const recipients: Readonly<Record<string, string>> = {
  sms: '+14155550123',
  whatsapp: '+14155550123',
  telegram: '123456789',
};

/** Each step as a shell command, and the command that gets the token for the others. */
export function commands({ origin, email, key, account }: OwnValues): Record<StepName | 'token', string> {
  const channel = account?.channel ?? 'sms';
  const message = {
    to: recipients[channel] ?? '',
    text: 'Hello',
    ...(account === null ? {} : { channelAccountId: account.id }),
  };
  const login = body({ email, password: '…' });
  return {
    token: `TOKEN=$(curl -s ${origin}/auth/login ${json} -d ${login} | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    connect: curl(origin, '/v1/channel-accounts', bearer, {
      provider: 'telegram-bot',
      name: 'My bot',
      settings: { botToken: '123456:…' },
    }),
    key: curl(origin, '/tenant/api-keys', bearer, { name: 'My app' }),
    send: curl(origin, `/v1/notify/${channel}/text`, `-H 'X-Api-Key: ${key ?? 'svc_live_…'}'`, message),
    webhook: curl(origin, '/v1/webhooks', bearer, { url: 'https://example.com/notify' }),
  };
}

function curl(origin: string, path: string, credential: string, content: object): string {
  return `curl ${origin}${path} ${credential} ${json} -d ${body(content)}`;
}

/** In single quotes, because a shell leaves everything between them unchanged but the quote itself. */
function body(content: object): string {
  return `'${JSON.stringify(content).replaceAll("'", String.raw`'\''`)}'`;
}
