import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageFailure } from '../failures.ts';
import { flag, text } from '../options.ts';
import { defaultProfile, normalUrl } from '../profiles/connection.ts';
import { readProfile, saveProfile } from '../profiles/store.ts';
import { checkedToken, endOf, verifyToken } from './token.ts';

export const login = defineCommand({
  name: 'login',
  summary: 'Save a service token for a service.',
  details:
    'Asks for the token without showing it, checks it with the service, and saves it so that only you can read it: in $XDG_CONFIG_HOME/notify/profiles, else ~/.config/notify/profiles. There is no option for the token itself, because other users of the machine could read it in the list of processes.',
  options: {
    url: text('<url>', 'Address of the service. Default: NOTIFY_URL.'),
    tokenStdin: flag('Read the token from standard input instead of asking.'),
  },
  examples: [
    { does: 'Log in to your own service', line: 'login --url https://notify.example.com' },
    {
      does: 'Log in from a script, under its own name',
      line: 'login --url https://notify.example.com --token-stdin --profile staging < token.txt',
    },
  ],
  async run(context, { url: typedUrl, tokenStdin }) {
    const { config, output, questions, signal } = context;
    const name = context.profile ?? config.profile ?? defaultProfile;
    const url = await askedUrl(context, name, typedUrl);
    const typed = tokenStdin
      ? await context.readInput()
      : await questions.secret(`Service token for ${url}`, '--token-stdin');
    const token = checkedToken(typed);
    if (sendsInTheClear(url)) output.warn(`the token goes to ${url} unencrypted; use https`);
    await verifyToken({ url, token }, signal);
    const file = await saveProfile(config.folder, name, { url, token });
    output.document({ profile: name, url, tokenHint: token.slice(-4), file }, (style) => [
      `${style.green('Logged in')} to ${url} with the token ${endOf(token)}.`,
    ]);
    if (config.token !== null) output.warn('NOTIFY_TOKEN is set and goes before this login');
    else if (name !== defaultProfile && config.profile !== name)
      output.note(`Use it with --profile ${name}, or set NOTIFY_PROFILE=${name}.`);
  },
});

async function askedUrl(
  { config, questions }: Context,
  name: string,
  typed: string | undefined,
): Promise<string> {
  const saved = questions.possible ? await readProfile(config.folder, name) : null;
  const initial = saved?.url ?? 'http://localhost:3000';
  const given =
    typed ?? config.url ?? (await questions.text('Address of the service', { initial, instead: '--url' }));
  const url = normalUrl(given.trim());
  if (url === null) throw new UsageFailure('--url must be an address such as https://notify.example.com');
  return url;
}

function sendsInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
