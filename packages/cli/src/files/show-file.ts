import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { localTime } from '../output/shown.ts';

export const showFile = defineCommand({
  name: 'files show',
  summary: 'Show what is known of an uploaded file.',
  arguments: { id: idArgument(kinds.file) },
  examples: [{ does: 'Whether it is still there, and until when', line: 'files show file_01912d68-…' }],
  async run({ client, output, signal }, { id }) {
    const file = await (await client()).tenantFiles.get(id, { signal });
    output.document(file, () => [
      `${file.id}  ${file.filename ?? ''}`,
      `${file.type}, ${file.bytes} bytes, SHA-256 ${file.sha256}`,
      file.expiresAt === null ? 'A message waits for it' : `Removed at ${localTime(file.expiresAt)}`,
    ]);
  },
});
