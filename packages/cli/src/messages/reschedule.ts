import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { futureTime, required } from '../options.ts';
import { localTime } from '../output/shown.ts';

export const rescheduleMessage = defineCommand({
  name: 'messages reschedule',
  summary: 'Change when a waiting message is sent.',
  details: 'A message that is being sent or was sent cannot be changed.',
  arguments: { id: idArgument(kinds.message) },
  options: { at: required(futureTime('<time>', 'The new time, at most 30 days ahead.')) },
  examples: [{ does: 'Send it tomorrow instead', line: 'messages reschedule msg_01912d68-… --at 1d' }],
  async run({ client, output, signal }, { id, at }) {
    const notify = await client();
    const message = await notify.tenantMessages.change(id, { sendAt: at }, { signal });
    output.document(message, (style) => [
      `${style.green('Rescheduled')} ${id} for ${localTime(message.scheduledAt)}.`,
    ]);
  },
});
