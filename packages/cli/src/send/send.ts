import type { Notify } from '@notify/sdk';
import { defineCommand } from '../command.ts';
import { uploadPath } from '../files/upload-path.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';
import { channels } from '../messages/channels.ts';
import { type Message, showMessage } from '../messages/message-text.ts';
import { choice, flag, futureTime, integer, jsonObject, presetTo, repeated, text } from '../options.ts';
import { localTime } from '../output/shown.ts';
import { contentOf, fileTypes, telegramFormats } from './content.ts';
import { labelOptions, labelsOf } from './labels.ts';
import { routesOf, sendGroup } from './routes.ts';
import { type AwaitedStatus, awaitedStatuses, lateText, reached, type Wait, waitFor } from './wait.ts';

const defaultTimeoutSeconds = 60;

export const send = defineCommand({
  name: 'send',
  summary: 'Send a message: a text, a file, a template, or buttons.',
  details:
    'Repeating the command with the same --idempotency-key sends nothing twice. With --wait the exit code is 1 if the message failed, or did not get that far within --timeout.\n\nWith --json, id and messageId are both the ID of the message, with --wait and without.\n\nThe scope is messages:send, for --wait also messages:read.',
  options: {
    channel: choice('<channel>', channels, 'How it is sent. Required without --route.'),
    to: text(
      '<recipient>',
      'A phone number, or for telegram a chat ID or @username. Required without --route.',
    ),
    route: repeated(
      '<channel:recipient>',
      'One of several ways, tried in order until one delivers. Once for each, at most 5. A JSON object is a route as the API takes it.',
    ),
    advanceAfter: integer(
      '<seconds>',
      { min: 10, max: 86_400 },
      'How long each route has until the next one begins. Default 60.',
    ),
    text: text('<text>', 'The text. - reads it from standard input.'),
    file: text('<path>', 'A file of this machine to upload and send.'),
    fileId: idOption(kinds.file, 'An uploaded file to send; files upload shows its ID.'),
    fileUrl: text('<url>', 'Public address of a file to send.'),
    fileType: choice(
      '<type>',
      fileTypes,
      'Kind of the file. Default: by the end of its name or address, else document.',
    ),
    caption: text('<text>', 'Text below the file.'),
    filename: text('<name>', 'File name for the recipient.'),
    telegramFormat: choice(
      '<format>',
      telegramFormats,
      'How the text or the caption is marked up. Only on telegram, as the next three.',
    ),
    telegramThread: integer(
      '<id>',
      { min: 1, max: 2_147_483_647 },
      'Topic of the chat. Default: that of --reply-to.',
    ),
    telegramSilent: flag('Let it arrive without a sound.'),
    telegramNoPreview: flag('Show links without a preview.'),
    template: text('<name>', 'A template to send; templates list shows them.'),
    language: text('<code>', 'Language of the template.'),
    param: repeated(
      '<value>',
      'What fills a variable of the template: a value, in order, or name=value. Once for each.',
    ),
    parameters: jsonObject('<json>', 'All parameters of the template as the API takes them.'),
    button: repeated(
      '<title=id>',
      'A button below the text: its title, and the ID that a press brings back. Once for each, at most 3. Or one with an address: title=https://….',
    ),
    header: text('<text>', 'A line above the text of buttons.'),
    footer: text('<text>', 'A line below the text of buttons.'),
    numbered: flag('Where the account cannot send buttons, send a text with numbers to reply.'),
    interactive: jsonObject('<json>', 'Buttons or a list as the API takes them.'),
    account: idOption(
      kinds.account,
      'Channel account to send from. Default: the default account of the channel.',
    ),
    replyTo: idOption(kinds.message, 'A message of the conversation to quote.'),
    ...labelOptions,
    idempotencyKey: text('<key>', 'The same key never sends twice. Default: a new one for each command.'),
    at: futureTime('<time>', 'When to send it, at most 30 days ahead. Default: at once.'),
    urgent: flag('Send it in the quiet hours of the account, too.'),
    expiresIn: integer(
      '<seconds>',
      { min: 30, max: 604_800 },
      'Give up after this time, counted from --at. Default 24 hours.',
    ),
    wait: presetTo(
      'sent',
      choice(
        '[status]',
        awaitedStatuses,
        'Wait until it has this status. --wait alone: sent, where messages on telegram end.',
      ),
    ),
    timeout: integer(
      '<seconds>',
      { min: 1, max: 86_400 },
      `How long --wait waits. Default ${defaultTimeoutSeconds}.`,
    ),
  },
  examples: [
    { does: 'Send a text', line: 'send --channel sms --to +15550001000 --text "Hello from Notify"' },
    {
      does: 'Send a file and wait until it has arrived',
      line: 'send --channel whatsapp --to +15550001000 --file-url https://example.com/ticket.png --wait delivered',
    },
    {
      does: 'Send a file of this machine',
      line: 'send --channel telegram --to 4711 --file report.pdf --caption "The weekly report"',
    },
    {
      does: 'Send a template',
      line: 'send --channel whatsapp --to +15550001000 --template order_shipped --language en --param Ada --param A-7',
    },
    {
      does: 'Send two buttons, as numbers where the account has none',
      line: 'send --channel whatsapp --to +15550001000 --text "Shall we come on Monday?" --button Yes=yes --button No=no --numbered',
    },
    {
      does: 'Send a text tomorrow',
      line: 'send --channel sms --to +15550001000 --text "See you today" --at 1d',
    },
    {
      does: 'Send by WhatsApp, and by SMS if that does not arrive within two minutes',
      line: 'send --route whatsapp:+15550001000 --route sms:+15550001000 --text "Your table is ready" --advance-after 120',
    },
    {
      does: 'Send a text with a tag and an ID of yours, which events return',
      line: 'send --channel sms --to +15550001000 --text "It has shipped" --tag shipping --metadata orderId=4711',
    },
    {
      does: 'Send the content of a file',
      line: 'send --channel telegram --to 4711 --text - < report.txt',
    },
    {
      does: 'Send a bold word to a topic of a Telegram group, without a sound',
      line: 'send --channel telegram --to=-1001234567890 --text "<b>Done</b>" --telegram-format html --telegram-thread 42 --telegram-silent',
    },
  ],
  async run(context, input) {
    const {
      channel,
      to,
      route,
      advanceAfter,
      account,
      replyTo,
      idempotencyKey,
      at,
      urgent,
      expiresIn,
      wait,
      timeout,
      ...options
    } = input;
    if (timeout !== undefined && wait === undefined)
      throw new UsageFailure('--timeout goes with --wait only');
    const timeoutMs = (timeout ?? defaultTimeoutSeconds) * 1_000;
    if (route !== undefined) return sendByRoutes(context, input, route, timeoutMs);
    if (advanceAfter !== undefined) throw new UsageFailure('--advance-after goes with --route only');
    if (channel === undefined)
      throw new UsageFailure('--channel <channel> is required, unless there is --route');
    if (to === undefined) throw new UsageFailure('--to <recipient> is required, unless there is --route');
    const typed = contentOf({ ...options, text: await typedText(context, options.text) });
    const notify = await context.client();
    const content = await withUpload(notify, typed, context.signal);
    const body = given({
      channel,
      to,
      ...given(content),
      channelAccountId: account,
      replyTo,
      ...labelsOf(options),
      idempotencyKey,
      sendAt: at,
      urgent: urgent ? true : undefined,
      expiresInSeconds: expiresIn,
    });
    demandReports(channel, wait);
    const { signal, output } = context;
    const sent = await notify.tenantMessages.send(body, { signal });
    if (wait === undefined) {
      const when = sent.scheduledAt === null ? '' : ` for ${localTime(sent.scheduledAt)}`;
      output.document(sent, (style) => [`${style.green('Queued')} ${sent.id}${when}`]);
      return exitCodes.done;
    }
    output.note(output.noteStyle.dim(`Queued ${sent.id}; waiting until it is ${wait} …`));
    const awaited: Wait = { until: wait, timeoutMs, signal };
    return afterWait(context, await waitFor(notify, sent.id, awaited), awaited);
  },
});

/** Refuses to wait for what a channel never reports. */
function demandReports(channel: string, wait: AwaitedStatus | undefined): void {
  const isReported =
    wait === undefined ||
    wait === 'sent' ||
    (channel !== 'telegram' && (wait !== 'read' || channel !== 'sms'));
  if (!isReported)
    throw new UsageFailure(
      `--wait ${wait} never ends on ${channel}: use --wait ${channel === 'telegram' ? 'sent' : 'delivered'}`,
    );
}

/** The options that a group takes. */
type RouteInput = Parameters<typeof contentOf>[0] & {
  readonly channel: string | undefined;
  readonly to: string | undefined;
  readonly account: string | undefined;
  readonly replyTo: string | undefined;
  readonly tag: readonly string[] | undefined;
  readonly metadata: readonly string[] | undefined;
  readonly advanceAfter: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly at: string | undefined;
  readonly urgent: boolean | undefined;
  readonly expiresIn: number | undefined;
  readonly wait: AwaitedStatus | undefined;
};

async function sendByRoutes(
  context: Context,
  input: RouteInput,
  route: readonly string[],
  timeoutMs: number,
): Promise<ExitCode> {
  const stray = (['channel', 'to', 'account', 'replyTo'] as const).find((name) => input[name] !== undefined);
  if (stray !== undefined)
    throw new UsageFailure(`--${stray === 'replyTo' ? 'reply-to' : stray} does not go with --route`);
  const { wait, advanceAfter, idempotencyKey, at, urgent, expiresIn } = input;
  if (wait === 'read') throw new UsageFailure('--wait read does not go with --route');
  const text = await typedText(context, input.text);
  // Routes that are JSON have their own content.
  const isShared = route.some((one) => !one.startsWith('{'));
  const typed = isShared ? contentOf({ ...input, text }) : {};
  const content = await withUpload(await context.client(), typed, context.signal);
  const body = given({
    routes: routesOf(route, () => content),
    advanceAfterSeconds: advanceAfter,
    ...labelsOf(input),
    idempotencyKey,
    sendAt: at,
    urgent: urgent === true ? true : undefined,
    expiresInSeconds: expiresIn,
  });
  return sendGroup(context, body, wait === undefined ? null : { until: wait, timeoutMs });
}

/** The content with its file uploaded, if it names one of this machine. */
async function withUpload(
  notify: Notify,
  { file, ...content }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (typeof file !== 'string') return content;
  return { ...content, fileId: (await uploadPath(notify, file, signal)).id };
}

async function typedText(context: Context, typed: string | undefined): Promise<string | undefined> {
  return typed === '-' ? (await context.readInput()).replace(/\r?\n$/, '') : typed;
}

function afterWait({ output }: Context, message: Message, wait: Wait): ExitCode {
  showMessage(output, message);
  if (reached(message, wait.until)) return exitCodes.done;
  if (message.status !== 'failed') output.note(lateText(wait, message.status));
  return exitCodes.failed;
}
