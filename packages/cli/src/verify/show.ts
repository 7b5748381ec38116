import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { localTime } from '../output/shown.ts';

export const showVerification = defineCommand({
  name: 'verify show',
  summary: 'Show a verification.',
  details: 'The code is never shown. Needs an API key with the scope read in NOTIFY_API_KEY.',
  arguments: { id: idArgument(kinds.verification) },
  examples: [{ does: 'Show its status', line: 'verify show ver_01912d68-…' }],
  async run({ keyClient, output, signal }, { id }) {
    const notify = await keyClient();
    const shown = await notify.verifications.get(id, { signal });
    const end = shown.endedAt === null ? `until ${localTime(shown.expiresAt)}` : localTime(shown.endedAt);
    output.document(shown, () => [
      `${shown.id}  ${shown.to}  ${shown.status}  ${end}  ${shown.attemptsLeft} tries left`,
    ]);
  },
});
