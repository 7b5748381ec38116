import { defineCommand } from '../command.ts';
import { eventsOption } from '../events/names.ts';
import { UsageFailure } from '../failures.ts';
import { flag, integer, required, text } from '../options.ts';
import { openPosition, positionFileOf } from './position.ts';
import { patiently } from './patiently.ts';
import { forwardEvents } from './run.ts';
import { beginOf, sinceOption } from './begin.ts';

const defaults = { concurrency: 10, retries: 3, timeout: 10, lostAfter: 90 };

export const listen = defineCommand({
  name: 'listen',
  summary: 'Forward events to a program on this machine, as a webhook would.',
  details: `Reads the stream of events and posts each event to --forward-to, with the headers, the body and the signature of a real webhook. Your service needs no address that Notify can reach.

Verify the signature with the secret of the event list: --print-secret shows it, GET /v1/events/secret has it.

Every event is forwarded at least once. The events of a message come one after another, in order; different messages come side by side, --concurrency at a time. An event without a 2xx answer within --timeout is repeated --retries times, after 1, 2, 4 and then 8 s. Then the event is given up: listen says so at once and again at its end. While nothing listens at --forward-to, events wait until something does, however long that takes.

listen reconnects by itself, forever. It saves its position: started again with the same service and target, it continues where it stopped, also after a crash. --since now begins anew.

Ctrl-C waits up to 5 s for the answers in progress; a second Ctrl-C ends at once. The next listen forwards what has no answer by then.

The scope is events:read.`,
  options: {
    forwardTo: required(
      text('<url>', 'Where to post the events, such as http://localhost:4000/webhooks/notify.'),
    ),
    events: eventsOption('Only these events.'),
    since: sinceOption,
    cursor: text('<cursor>', 'Begin after this cursor of the list or the stream of events.'),
    cursorFile: text(
      '<file>',
      'Keep the position in this file. Default: a file for each service, tenant and target.',
    ),
    concurrency: integer(
      '<count>',
      { min: 1, max: 100 },
      `Messages at a time. Default ${defaults.concurrency}.`,
    ),
    retries: integer(
      '<count>',
      { min: 0, max: 1_000 },
      `Repetitions of an event. Default ${defaults.retries}.`,
    ),
    timeout: integer(
      '<seconds>',
      { min: 1, max: 3_600 },
      `How long an answer may take. Default ${defaults.timeout}.`,
    ),
    lostAfter: integer(
      '<seconds>',
      { min: 2, max: 3_600 },
      `A stream that is silent for so long counts as lost. The service writes at least once a minute. Default ${defaults.lostAfter}.`,
    ),
    printSecret: flag('Show the secret that signs the events.'),
    skipVerify: flag('Take any certificate of an https receiver, such as a self-signed one.'),
  },
  examples: [
    {
      does: 'Forward all events to your program',
      line: 'listen --forward-to http://localhost:4000/webhooks/notify',
    },
    {
      does: 'Only what failed or was received, and the events of the last two hours first',
      line: 'listen --forward-to http://localhost:4000/webhooks/notify --events message.failed,message.received --since 2h',
    },
    {
      does: 'Skip what happened since listen ran last',
      line: 'listen --forward-to http://localhost:4000/webhooks/notify --since now',
    },
  ],
  async run(context, input) {
    const target = targetOf(input.forwardTo);
    if (input.since !== undefined && input.cursor !== undefined)
      throw new UsageFailure('--since and --cursor exclude each other');
    const { url: service } = await context.connection();
    const client = await context.client();
    const { signal, output } = context;
    const { secret } = await patiently(() => client.events.getSecret({ signal }), context);
    const file = input.cursorFile ?? positionFileOf(context.config.folder, service, secret, target);
    const position = openPosition(file, { service, forwardTo: target.href });
    const begin = await beginOf(input, position, (query) =>
      patiently(() => client.events.list(query, { signal }), context),
    );
    if (input.printSecret === true)
      output.item({ type: 'secret', secret }, () => [`Secret of the events: ${secret}`]);
    await forwardEvents(context, client, {
      service,
      target,
      secret,
      position,
      begin,
      names: input.events ?? null,
      concurrency: input.concurrency ?? defaults.concurrency,
      retries: input.retries ?? defaults.retries,
      timeoutMs: (input.timeout ?? defaults.timeout) * 1_000,
      silentMs: (input.lostAfter ?? defaults.lostAfter) * 1_000,
      verifyCertificate: input.skipVerify !== true,
    });
  },
});

function targetOf(typed: string): URL {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === '') return url;
  throw new UsageFailure(
    '--forward-to must be an http(s) address, such as http://localhost:4000/webhooks/notify',
  );
}
