import { defineCommand } from '../command.ts';
import { idsOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { choices, integer, required, text } from '../options.ts';
import { keyScopes, narrowingOptions } from './scopes.ts';

export const createKey = defineCommand({
  name: 'keys create',
  summary: 'Create an API key. Shows it once.',
  options: {
    name: required(text('<name>', 'A name for people.')),
    scopes: choices('<scopes>', keyScopes, 'What it may do. Default: send,read.'),
    accounts: idsOption(kinds.account, 'The only channel accounts that it may use.'),
    ...narrowingOptions,
    rateLimit: integer('<count>', { min: 1, max: 10_000 }, 'Requests per minute. Default: that of the plan.'),
  },
  examples: [
    { does: 'A key for production', line: 'keys create --name production' },
    {
      does: 'A key for a test run, without a trace on the screen',
      line: 'keys create --name ci --scopes send --expires-at 1h --json | jq -r .key > key.txt',
    },
  ],
  async run({ client, output, signal }, { name, scopes, accounts, expiresAt, allowedIps, rateLimit }) {
    const body = given({
      name,
      scopes: scopes && [...scopes],
      channelAccountIds: accounts && [...accounts],
      expiresAt,
      allowedIps: allowedIps && [...allowedIps],
      rateLimitOverride: rateLimit,
    });
    const created = await (await client()).apiKeys.create(body, { signal });
    output.document(created, (style) => [
      `${style.green('Created')} ${created.id}`,
      `Key: ${style.bold(created.key)}`,
    ]);
    output.note(created.warning);
  },
});
