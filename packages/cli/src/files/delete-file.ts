import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';

export const deleteFile = defineCommand({
  name: 'files delete',
  summary: 'Delete an uploaded file that no message waits for.',
  arguments: { id: idArgument(kinds.file) },
  examples: [{ does: 'Make room earlier', line: 'files delete file_01912d68-…' }],
  async run({ client, output, signal }, { id }) {
    await (await client()).tenantFiles.delete(id, { signal });
    output.document({ id, deleted: true }, (style) => [`${style.green('Deleted')} ${id}.`]);
  },
});
