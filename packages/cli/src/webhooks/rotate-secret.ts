import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';
import { localTime } from '../output/shown.ts';

export const rotateSecret = defineCommand({
  name: 'webhooks rotate-secret',
  summary: 'Give a webhook a new secret. Shows it once.',
  details: 'For 24 hours the old secret signs too, so receivers can change in their own time.',
  arguments: { id: idArgument(kinds.webhook) },
  options: { yes: flag('Do not ask.') },
  examples: [
    {
      does: 'Keep the new secret',
      line: 'webhooks rotate-secret wh_01912d68-… --yes --json | jq -r .secret',
    },
  ],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Give the webhook ${id} a new secret?`, yes);
    const rotated = await notify.webhooks.rotateSecret(id, { signal });
    output.document(rotated, (style) => [
      `Secret: ${style.bold(rotated.secret)}`,
      `The old one signs too until ${localTime(rotated.previousSecretUntil)}.`,
    ]);
    output.note(rotated.warning);
  },
});
