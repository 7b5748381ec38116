import {
  choicesOf,
  type InteractiveContent,
  type Outcome,
  type TelegramOptions,
  textAboveButtons,
} from '@notify/core';
import type { HttpResult, SpooledFile } from '@notify/egress';
import type { Media, SendRequest } from '../adapter/channel.ts';
import { multipart } from '../requests/multipart.ts';
import { refuseTemplate } from '../templates/no-templates.ts';
import { callDeadlineMs, callFor, fetchDeadlineMs, type TelegramContext, uploadFor } from './call.ts';
import { couldNotFetch } from './errors.ts';
import { messageNumber } from './ids.ts';
import { type FileMethod, filenameOf, isFetchable, methodFor } from './methods.ts';

/** Sends one message. Returns an outcome if Telegram was not asked for one. */
export function sendMessage(request: SendRequest, context: TelegramContext): Promise<HttpResult | Outcome> {
  const { type, media } = request;
  if (type === 'text') return sendText(request, context);
  if ('interactive' in request.body) return sendButtons(request, request.body.interactive, context);
  if (type === 'template' || type === 'interactive') return Promise.resolve(refuseTemplate('Telegram'));
  if (media === null) throw new Error('a media message must not get here without its file');
  return sendFile(request, media, methodFor(type, media.mimeType), context);
}

function sendText(request: SendRequest, context: TelegramContext): Promise<HttpResult> {
  const { to, text, body } = request;
  const whole = text ?? ('text' in body ? body.text : '');
  const parameters = { text: whole, ...formatOf(request), ...previewOf(request), ...placeOf(request) };
  return callFor(to, 'sendMessage', parameters, context, callDeadlineMs);
}

/** A text with buttons below it, one a line, so that none is cut short. */
function sendButtons(
  request: SendRequest,
  content: InteractiveContent,
  context: TelegramContext,
): Promise<HttpResult> {
  const parameters = {
    text: textAboveButtons(content),
    reply_markup: { inline_keyboard: keyboardOf(content) },
    ...placeOf(request),
  };
  return callFor(request.to, 'sendMessage', parameters, context, callDeadlineMs);
}

/** Each button has an address, or data that comes back (https://core.telegram.org/bots/api#inlinekeyboardbutton). */
function keyboardOf(content: InteractiveContent): object[][] {
  const links = (content.buttons ?? []).filter((button) => 'url' in button);
  return [
    ...links.map(({ title, url }) => [{ text: title, url }]),
    ...choicesOf(content).map(({ id, title }) => [{ text: title, callback_data: id }]),
  ];
}

/**
 * Quotes a message of the chat. The text still goes out if the person has deleted it (Bot API, "ReplyParameters":
 * https://core.telegram.org/bots/api#replyparameters).
 */
function replyOf({ replyTo, to }: SendRequest): { reply_parameters?: object } {
  const number = replyTo === null ? null : messageNumber(replyTo.externalId, to);
  if (number === null) return {};
  return { reply_parameters: { message_id: number, allow_sending_without_reply: true } };
}

const parseModes = { html: 'HTML', markdown: 'MarkdownV2' } as const;

function optionsOf({ body }: SendRequest): TelegramOptions {
  return 'telegram' in body ? (body.telegram ?? {}) : {};
}

/** How the text or the caption is read (https://core.telegram.org/bots/api#formatting-options). */
function formatOf(request: SendRequest): { parse_mode?: string } {
  const { format } = optionsOf(request);
  return format === undefined ? {} : { parse_mode: parseModes[format] };
}

/** Only of texts (https://core.telegram.org/bots/api#linkpreviewoptions). */
function previewOf(request: SendRequest): { link_preview_options?: object } {
  const { preview } = optionsOf(request);
  return preview === undefined ? {} : { link_preview_options: { is_disabled: !preview } };
}

/** Where in the chat the message goes, and whether it makes a sound. The topic that the sender names wins. */
function placeOf(request: SendRequest): Readonly<Record<string, unknown>> {
  const { threadId = request.threadId, silent } = optionsOf(request);
  return {
    ...replyOf(request),
    ...(threadId === null ? {} : { message_thread_id: threadId }),
    ...(silent === undefined ? {} : { disable_notification: silent }),
  };
}

/** Sends by URL if Telegram fetches such a file. Uploads it otherwise, or if Telegram then fails to fetch it. */
async function sendFile(
  request: SendRequest,
  media: Media,
  method: FileMethod,
  context: TelegramContext,
): Promise<HttpResult | Outcome> {
  if (isFetchable(method, media)) {
    const parameters = {
      [method.parameter]: media.url,
      ...captionOf(media),
      ...formatOf(request),
      ...placeOf(request),
    };
    const result = await callFor(request.to, method.name, parameters, context, fetchDeadlineMs);
    if (!couldNotFetch(result)) return result;
  }
  return upload(request, media, method, context);
}

async function upload(
  request: SendRequest,
  media: Media,
  method: FileMethod,
  context: TelegramContext,
): Promise<HttpResult | Outcome> {
  const downloaded = await media.download();
  if ('kind' in downloaded) return downloaded;
  await using file = downloaded;
  const fields = { ...captionOf(media), ...formatOf(request), ...written(placeOf(request)) };
  const formFor = (chatId: string) => formOf({ chat_id: chatId, ...fields }, media, file, method);
  return await uploadFor(request.to, method.name, formFor, context);
}

function formOf(
  fields: Readonly<Record<string, string>>,
  media: Media,
  file: SpooledFile,
  { parameter }: FileMethod,
) {
  return multipart(fields, {
    name: parameter,
    filename: filenameOf(media),
    mimeType: file.mimeType,
    bytes: file.bytes,
    open: () => file.open(),
  });
}

/** All but texts is written as JSON in a form (Bot API, "Making requests"). */
function written(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
}

function captionOf({ caption }: Media): { caption?: string } {
  return caption === null ? {} : { caption };
}
