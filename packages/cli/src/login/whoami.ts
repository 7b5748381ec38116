import { Notify } from '@notify/sdk';
import { defineCommand } from '../command.ts';
import { flag } from '../options.ts';
import { fieldLines } from '../output/table.ts';
import { scopesOf } from './scopes.ts';
import { endOf, kindOf, verifyToken } from './token.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the service and the token that commands use, and check that the token works.',
  options: { scopes: flag('Find out the scopes, by one harmless request for each.') },
  examples: [
    { does: 'Which service', line: 'whoami' },
    { does: 'What the token may do', line: 'whoami --scopes' },
  ],
  async run({ connection, output, signal }, { scopes: asksScopes }) {
    const { url, token, profile } = await connection();
    await verifyToken({ url, token }, signal);
    const scopes = asksScopes ? await scopesOf(new Notify({ baseUrl: url, token })) : null;
    const shown = { url, profile, tokenHint: token.slice(-4), ...(scopes === null ? {} : { scopes }) };
    output.document(shown, (style) =>
      fieldLines(
        [
          ['Service', url],
          ['Login', profile ?? 'NOTIFY_TOKEN'],
          ['Token', `${endOf(token)}, ${kindOf(token)}`],
          ['Scopes', scopes?.join(', ')],
        ],
        style,
      ),
    );
  },
});
