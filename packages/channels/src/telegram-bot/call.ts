import type { HttpRequest, HttpResult } from '@notify/egress';
import type { SendContext } from '../adapter/channel.ts';
import type { Multipart } from '../requests/multipart.ts';
import { readTelegram } from './answer.ts';
import type { TelegramSettings } from './settings.ts';

export type TelegramContext = SendContext<TelegramSettings>;
export type Parameters = Readonly<Record<string, unknown>>;

/** The longest a call may take, in ms: without a file, with a file that Telegram fetches, with an upload. */
export const callDeadlineMs = 15_000;
export const fetchDeadlineMs = 60_000;
export const uploadDeadlineMs = 120_000;

/** How long a question may take, in ms, and how long its answer may be. */
export interface AskLimits {
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

/** Calls a method of the Bot API that sends nothing, with its parameters as JSON. */
export function ask(
  method: string,
  context: TelegramContext,
  parameters: Readonly<Record<string, unknown>> = {},
  { deadlineMs = callDeadlineMs, ...limits }: AskLimits = {},
): Promise<HttpResult> {
  const body = JSON.stringify(parameters);
  return post(context, method, {
    headers: { 'content-type': 'application/json' },
    body,
    deadlineMs,
    ...limits,
  });
}

/** Calls a method for a chat, with its parameters as JSON. */
export function callFor(
  chat: string,
  method: string,
  parameters: Parameters,
  context: TelegramContext,
  deadlineMs: number,
): Promise<HttpResult> {
  return following(chat, (chatId) => {
    const body = JSON.stringify({ chat_id: chatId, ...parameters });
    return post(context, method, { headers: { 'content-type': 'application/json' }, body, deadlineMs });
  });
}

/** Calls a method for a chat, with its parameters as a form. */
export function uploadFor(
  chat: string,
  method: string,
  formFor: (chat: string) => Multipart,
  context: TelegramContext,
): Promise<HttpResult> {
  return following(chat, (chatId) => {
    const { contentType, body } = formFor(chatId);
    return post(context, method, {
      headers: { 'content-type': contentType },
      body,
      deadlineMs: uploadDeadlineMs,
    });
  });
}

/** The secrets in the settings, which no text may show. The token is part of every URL. */
export function secretsOf({ botToken }: TelegramSettings): readonly string[] {
  return [botToken, botToken.split(':')[1] ?? ''];
}

/** Repeats the call with the new id if the group has become a supergroup. Nothing was sent to the old id. */
async function following(chat: string, call: (chatId: string) => Promise<HttpResult>): Promise<HttpResult> {
  const result = await call(chat);
  const said = result.ok ? readTelegram(result) : null;
  return said === null || said.ok || said.movedTo === null ? result : call(said.movedTo);
}

function post(
  { http, baseUrl, settings, signal }: TelegramContext,
  method: string,
  request: Pick<HttpRequest, 'headers' | 'body' | 'deadlineMs' | 'maxBytes'>,
): Promise<HttpResult> {
  return http.request({
    method: 'POST',
    url: `${baseUrl}/bot${settings.botToken}/${method}`,
    signal,
    ...request,
  });
}
