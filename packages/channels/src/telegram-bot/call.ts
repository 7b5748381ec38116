import type { HttpRequest, HttpResult } from '@notify/egress';
import type { SendContext } from '../channel.ts';
import type { Multipart } from '../multipart.ts';
import { readTelegram } from './answer.ts';
import type { TelegramSettings } from './settings.ts';

export type TelegramContext = SendContext<TelegramSettings>;
export type Parameters = Readonly<Record<string, string>>;

/** The longest a call may take, in ms: without a file; where Telegram fetches one; with an upload. */
export const callDeadlineMs = 15_000;
export const fetchDeadlineMs = 60_000;
export const uploadDeadlineMs = 120_000;

/** Asks the Bot API for something that sends nothing. */
export function ask(method: 'getMe', context: TelegramContext): Promise<HttpResult> {
  return post(context, method, { deadlineMs: callDeadlineMs });
}

/** Calls a method for a chat, with parameters as JSON. */
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

/** Calls a method for a chat, with a form. */
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

/** What of the settings no text may show: the token stands in every URL. */
export function secretsOf({ botToken }: TelegramSettings): readonly string[] {
  return [botToken, botToken.split(':')[1] ?? ''];
}

/** Calls once more where the group has a new id by now: nothing was sent to the old one. */
async function following(chat: string, call: (chatId: string) => Promise<HttpResult>): Promise<HttpResult> {
  const result = await call(chat);
  const said = result.ok ? readTelegram(result) : null;
  return said === null || said.ok || said.movedTo === null ? result : call(said.movedTo);
}

function post(
  { http, baseUrl, settings, signal }: TelegramContext,
  method: string,
  request: Pick<HttpRequest, 'headers' | 'body' | 'deadlineMs'>,
): Promise<HttpResult> {
  return http.request({
    method: 'POST',
    url: `${baseUrl}/bot${settings.botToken}/${method}`,
    signal,
    ...request,
  });
}
