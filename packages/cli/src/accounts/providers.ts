import { optionalArgument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { settingsOf, type SettingsSchema } from './settings.ts';

export const listProviders = defineCommand({
  name: 'accounts providers',
  summary: 'List the providers, or the settings of one.',
  arguments: { provider: optionalArgument('The provider ID: twilio, ….') },
  examples: [
    { does: 'All providers', line: 'accounts providers' },
    { does: 'What an account of Twilio needs', line: 'accounts providers twilio' },
  ],
  async run({ client, output, signal }, { provider }) {
    const notify = await client();
    if (provider === undefined) {
      const providers = await notify.providers.list({ signal });
      if (output.json) return output.document(providers, () => []);
      return output.table(providers, [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'CHANNEL', cell: ({ channel }) => channel },
        { title: 'NAME', cell: ({ name }) => name },
      ]);
    }
    const schema = await settingsOf(notify, provider, signal);
    if (output.json) return output.document(schema, () => []);
    return output.table(rowsOf(schema), [
      { title: 'SETTING', cell: ({ name }) => name },
      { title: 'REQUIRED', cell: ({ required }) => (required ? 'yes' : null) },
      { title: 'SECRET', cell: ({ secret }) => (secret ? 'yes' : null) },
      { title: 'MEANING', cell: ({ meaning }) => meaning, shrinks: true },
    ]);
  },
});

function rowsOf({ properties, required }: SettingsSchema) {
  return Object.entries(properties).map(([name, { title, description, secret }]) => ({
    name,
    required: required.includes(name),
    secret: secret === true,
    meaning: description ?? title ?? '',
  }));
}
