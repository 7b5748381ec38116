import { defineCommand } from '../command.ts';

export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'List API keys. The keys themselves are never shown again.',
  examples: [{ does: 'Which keys are used', line: 'keys list' }],
  async run({ client, output, signal }) {
    const keys = await (await client()).apiKeys.list({ signal });
    if (output.json) return output.document(keys, () => []);
    return output.table(
      keys,
      [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'NAME', cell: ({ name }) => name, shrinks: true },
        { title: 'ENDS IN', cell: ({ hint }) => `…${hint}` },
        { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
        { title: 'ACCOUNTS', cell: ({ channelAccountIds }) => channelAccountIds?.length ?? 'all' },
        { title: 'EXPIRES', cell: ({ expiresAt }) => expiresAt, isTime: true },
        { title: 'LAST USED', cell: ({ lastUsedAt }) => lastUsedAt, isTime: true },
      ],
      { empty: 'No API keys.' },
    );
  },
});
