import { defineCommand } from '../command.ts';
import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';
import { channels } from '../messages/channels.ts';
import { choices, integer, required, text } from '../options.ts';
import { localTime } from '../output/shown.ts';
import { labelOptions, labelsOf } from '../send/labels.ts';

export const startVerification = defineCommand({
  name: 'verify start',
  summary: 'Send a one-time code.',
  details:
    'Repeated within 30 seconds, it shows the pending verification and sends nothing. The code itself is never shown; that of the sandbox is 000000.\n\nNeeds an API key with the scope send in NOTIFY_API_KEY.',
  options: {
    to: required(text('<recipient>', 'A phone number, or for telegram a chat ID or @username.')),
    channel: choices('<channels>', channels, 'How it is sent. With several, each is tried after the other.'),
    locale: text('<locale>', 'Language of the text, such as de-AT. Default: English.'),
    brand: text('<name>', 'Your name in the text.'),
    codeLength: integer('<digits>', { min: 4, max: 10 }, 'Number of digits. Default 6.'),
    expiresIn: integer(
      '<seconds>',
      { min: 60, max: 3_600 },
      'How long the code is good. Default 10 minutes.',
    ),
    ...labelOptions,
    idempotencyKey: text('<key>', 'The same key never sends twice. Default: a new one for each command.'),
  },
  examples: [
    { does: 'Send a code', line: 'verify start --channel sms --to +15550001000 --brand Acme' },
    {
      does: 'Try WhatsApp first, then SMS',
      line: 'verify start --channel whatsapp,sms --to +15550001000 --locale de',
    },
  ],
  async run({ keyClient, output, signal }, { to, channel = [], expiresIn, tag, metadata, ...options }) {
    if (channel.length === 0) throw new UsageFailure('--channel is required');
    const notify = await keyClient();
    const [only, ...more] = channel;
    const way = more.length === 0 ? { channel: only! } : { routes: channel.map((one) => ({ channel: one })) };
    const body = {
      ...given({ to, ...options, ...labelsOf({ tag, metadata }), expiresInSeconds: expiresIn }),
      ...way,
    };
    const verification = await notify.verifications.start(body, { signal });
    output.document(verification, (style) => [
      `${style.green('Sent a code')} ${verification.id}, good until ${localTime(verification.expiresAt)}`,
    ]);
  },
});
