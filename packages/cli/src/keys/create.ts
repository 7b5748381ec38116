import type { KeyScope } from '@notify/sdk';
import { defineCommand } from '../command.ts';
import { idsOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { choices, futureTime, integer, list, required, text } from '../options.ts';

/** What an API key can be allowed. `satisfies` refuses to compile when the API has another scope. */
const keyScopes = Object.keys({
  send: true,
  read: true,
  list: true,
  cancel: true,
  'conversations:read': true,
  'conversations:write': true,
} satisfies Record<KeyScope, true>) as KeyScope[];

export const createKey = defineCommand({
  name: 'keys create',
  summary: 'Create an API key. Shows it once.',
  options: {
    name: required(text('<name>', 'A name for people.')),
    scopes: choices('<scopes>', keyScopes, 'What it may do. Default: send,read.'),
    accounts: idsOption(kinds.account, 'The only channel accounts that it may use.'),
    expiresAt: futureTime('<time>', 'When the key ends.'),
    allowedIps: list('<cidrs>', 'The only addresses that it works from.'),
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
