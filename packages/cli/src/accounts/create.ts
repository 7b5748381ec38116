import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { flag, required, text } from '../options.ts';
import { collectSettings, settingsOf, settingsOptions } from './settings.ts';
import { accountLines } from './shown.ts';

export const createAccount = defineCommand({
  name: 'accounts create',
  summary: 'Connect a channel account.',
  details:
    'Asks for the settings that the provider needs and that are not given. accounts providers lists the settings. The service asks the provider whether they work. Without an answer, the account is "connecting": messages can be sent from it. It becomes the default after its first success, or at once with --default.',
  options: {
    provider: required(text('<id>', 'One that accounts providers lists, such as twilio or sandbox.')),
    name: required(text('<name>', 'A name for people.')),
    ...settingsOptions,
    default: flag('Make it the default of its channel.'),
    noVerify: flag('Do not ask the provider whether the settings work.'),
  },
  examples: [
    {
      does: 'Connect a bot; asks for its token',
      line: 'accounts create --provider telegram-bot --name Shop',
    },
    {
      does: 'Connect from a script',
      line: 'accounts create --provider twilio --name Shop --settings-file twilio.json --default',
    },
  ],
  async run(context, { provider, name, noVerify, default: isDefault, ...choice }) {
    const { client, output, signal } = context;
    const notify = await client();
    const schema = await settingsOf(notify, provider, signal);
    const settings = await collectSettings(context, schema, choice, schema.required);
    const body = {
      provider,
      name,
      settings,
      ...(isDefault ? { isDefault } : {}),
      ...(noVerify ? { verify: false } : {}),
    };
    const account = await notify.channelAccounts.create(given(body), { signal });
    output.document(account, (style) => accountLines(account, style));
  },
});
