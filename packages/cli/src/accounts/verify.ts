import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { plain } from '../output/plain.ts';

export const verifyAccount = defineCommand({
  name: 'accounts verify',
  summary: 'Ask the provider whether the credentials of a channel account work.',
  details: 'The exit code is 1 if they do not, and if the provider did not answer.',
  arguments: { id: idArgument(kinds.account) },
  examples: [{ does: 'Verify', line: 'accounts verify 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' }],
  async run({ client, output, signal }, { id }) {
    const verification = await (await client()).channelAccounts.verify(id, { signal });
    const { ok, refused, detail } = verification;
    output.document(verification, ({ green, red, yellow }) => [
      `${ok ? green('Works.') : refused ? red('Does not work.') : yellow('Not verified.')} ${plain(detail)}`,
    ]);
    return verification.ok ? exitCodes.done : exitCodes.failed;
  },
});
