import { choiceArgument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { eventLine } from '../events/event-text.ts';
import { CommandFailure } from '../failures.ts';
import type { ListenedEvent } from '../listen/entry.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { channels } from '../messages/channels.ts';
import { choice, integer, text } from '../options.ts';
import { awaitEvent, presentCursor } from './await-event.ts';
import { causes } from './causes.ts';
import { testWebhook } from './webhook-test.ts';

const defaultTimeout = 30;

type Caused = keyof typeof causes;
const names = [...(Object.keys(causes) as Caused[]), 'webhook.test'] as const;

export const trigger = defineCommand({
  name: 'trigger',
  summary: 'Trigger a real event through the sandbox.',
  details: `Sends a message through a sandbox account, or has a person write to it, and waits for the event. The events that lead to it happen, too: message.delivered comes after message.queued and message.sent. Webhooks and listen get all of them. Nothing reaches a real person.

webhook.test is posted to one webhook (--webhook, or the only one). It is not in the list of events.

message.delivered and group.delivered do not happen on telegram, where messages end at sent, and message.read happens on whatsapp only.

The sandbox cannot make the other events happen. contact.paired needs a person who opens a link of a Telegram bot (POST /v1/channel-accounts/:id/pairings) and presses Start. verification.held needs a country that gets many one-time codes of which few are entered.

The scopes are messages:send, accounts:read and events:read; for webhook.test webhooks:read and webhooks:write.`,
  arguments: { event: choiceArgument(names, 'The event.') },
  options: {
    channel: choice('<channel>', channels, 'Default: sms, and whatsapp for message.read.'),
    account: idOption(kinds.account, 'The sandbox account. Default: the first one of the channel.'),
    to: text('<address>', 'The recipient, or the person who writes. Default: a made-up number.'),
    text: text('<text>', 'The text of the message.'),
    webhook: idOption(kinds.webhook, 'The webhook of webhook.test.'),
    timeout: integer('<seconds>', { min: 1, max: 600 }, `How long to wait. Default ${defaultTimeout}.`),
  },
  examples: [
    { does: 'A message that fails', line: 'trigger message.failed' },
    {
      does: 'A person writes on WhatsApp',
      line: 'trigger message.received --channel whatsapp --text "Are you open?"',
    },
    {
      does: 'Test your webhook',
      line: 'trigger webhook.test --webhook wh_01912d68-783e-7a03-8467-5661c1243ad4',
    },
  ],
  async run({ client, output, signal }, { event, timeout = defaultTimeout, webhook, ...wish }) {
    const notify = await client();
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeout * 1_000)]);
    if (event === 'webhook.test') {
      const delivery = await testWebhook(notify, webhook, inTime);
      if (delivery === null) throw late(event, timeout);
      const { status, error, durationMs } = delivery.attempts.at(-1) ?? {
        status: null,
        error: null,
        durationMs: 0,
      };
      output.document(delivery, ({ green, red }) => [
        `webhook.test  ${delivery.eventId}  ${(delivery.state === 'delivered' ? green : red)(String(status ?? error))}  ${durationMs} ms`,
      ]);
      return delivery.state === 'delivered' ? 0 : 1;
    }
    const cursor = await presentCursor(notify, inTime);
    const { text: typed = 'Triggered by notifyctl.', channel, account, to } = wish;
    const isIt = await causes[event](notify, { channel, account, to, text: typed, signal: inTime });
    const found = await awaitEvent(
      notify,
      cursor,
      (one) => one.event === event && isIt(one as ListenedEvent),
      inTime,
    );
    signal.throwIfAborted();
    if (found === null) throw late(event, timeout);
    output.document(found.event, (style) => [eventLine(found.event, style)]);
    return 0;
  },
});

function late(event: string, timeout: number): CommandFailure {
  return new CommandFailure(`${event} did not happen within ${timeout} s`, {
    hint: 'Do the workers run? notifyctl messages list shows what became of the message.',
  });
}
