import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { UsageFailure } from '../failures.ts';
import { flag, text } from '../options.ts';
import { collectSettings, settingsOf, settingsOptions } from './settings.ts';
import { accountLines } from './shown.ts';

export const updateAccount = defineCommand({
  name: 'accounts update',
  summary: 'Change the name, the settings or the default of a channel account.',
  details:
    'Settings that are not given keep their value. A secret must be given again if the settings send it to another address or in another place of the request.',
  arguments: { id: idArgument(kinds.account) },
  options: {
    name: text('<name>', 'The new name.'),
    ...settingsOptions,
    default: flag('Make it the default of its channel.'),
    noVerify: flag('Do not ask the provider whether the settings work.'),
  },
  examples: [
    { does: 'Rename', line: 'accounts update 0190a1b2-… --name Shop' },
    { does: 'Change a secret; asks for it', line: 'accounts update 0190a1b2-… --ask authToken' },
    {
      does: 'Move to another gateway; asks for the secret that goes there',
      line: 'accounts update 0190a1b2-… --set url=https://gateway.example/v2 --ask secrets.token',
    },
  ],
  async run(context, { id, name, default: isDefault, noVerify, ...choice }) {
    const { client, output, signal } = context;
    const notify = await client();
    const changesSettings = Object.values(choice).some((one) => one !== undefined);
    if (name === undefined && !isDefault && !changesSettings)
      throw new UsageFailure('one of --name, --set, --ask, --settings-file and --default is required');
    const { provider } = await notify.channelAccounts.get(id, { signal });
    const settings = changesSettings
      ? { settings: await collectSettings(context, await settingsOf(notify, provider, signal), choice, []) }
      : {};
    const account = await notify.channelAccounts.update(
      id,
      {
        ...settings,
        ...(name === undefined ? {} : { name }),
        ...(isDefault ? { isDefault } : {}),
        ...(noVerify ? { verify: false } : {}),
      },
      { signal },
    );
    output.document(account, (style) => accountLines(account, style));
  },
});
