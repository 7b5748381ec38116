import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { localTime } from '../output/shown.ts';

export const showVerification = defineCommand({
  name: 'verify show',
  summary: 'Show a verification.',
  details:
    'The code is never shown. "notifyctl groups show" tells what became of the messages.\n\nWith an API key in NOTIFY_API_KEY the scope is read, without one messages:read.',
  arguments: { id: idArgument(kinds.verification) },
  examples: [{ does: 'Show its status', line: 'verify show ver_01912d68-…' }],
  async run({ config, client, keyClient, output, signal }, { id }) {
    const shown =
      config.apiKey === null
        ? await (await client()).tenantVerifications.get(id, { signal })
        : await (await keyClient()).verifications.get(id, { signal });
    const end = shown.endedAt === null ? `until ${localTime(shown.expiresAt)}` : localTime(shown.endedAt);
    output.document(shown, () => [
      `${shown.id}  ${shown.to}  ${shown.status}  ${end}  ${shown.attemptsLeft} tries left  ${shown.groupId}`,
    ]);
  },
});
