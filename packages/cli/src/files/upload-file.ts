import { argument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { localTime } from '../output/shown.ts';
import { uploadPath } from './upload-path.ts';

export const uploadFile = defineCommand({
  name: 'files upload',
  summary: 'Upload a file, to send it by its ID.',
  details:
    'The file is removed after 24 hours if nothing uses it, otherwise an hour after its last message has ended. send --file uploads and sends in one step.\n\nThe scope is messages:send.',
  arguments: { path: argument('The file.') },
  examples: [
    { does: 'Upload a file', line: 'files upload ticket.png' },
    { does: 'Send one file to two recipients', line: 'files upload ticket.png --json | jq -r .id' },
  ],
  async run({ client, output, signal }, { path }) {
    const file = await uploadPath(await client(), path, signal);
    output.document(file, (style) => [
      `${style.green('Uploaded')} ${file.id}`,
      `${file.type}, ${file.bytes} bytes`,
      ...(file.expiresAt === null ? [] : [`Removed at ${localTime(file.expiresAt)} if nothing uses it`]),
    ]);
  },
});
