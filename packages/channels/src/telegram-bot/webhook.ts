import { createHmac } from 'node:crypto';
import type { CallbackRequest, CallbackResult } from '../adapter/channel.ts';
import { readDocument } from '../reading/callback-body.ts';
import { isSame } from '../reading/is-same.ts';
import { isObject } from './content.ts';
import { receives, type TelegramSettings } from './settings.ts';
import { parseUpdates } from './updates.ts';

const secretTokenHeader = 'x-telegram-bot-api-secret-token';

/** What Telegram sends in its own header with every update, made from the token so that it need not be stored. */
export function secretTokenOf({ botToken }: TelegramSettings): string {
  return createHmac('sha256', botToken).update('notify: secret_token of the webhook').digest('base64url');
}

/**
 * Reads an update that Telegram posts. It must have the secret in its path and the one in its header. An account that
 * ignores updates knows no callbacks: Telegram keeps what waits for the program that reads it.
 */
export function parseCallback(
  { method, secretMatches, headers, body }: CallbackRequest,
  settings: TelegramSettings,
): CallbackResult {
  const isTelegram = isSame(headers[secretTokenHeader] ?? '', secretTokenOf(settings));
  if (method !== 'POST' || !secretMatches || !isTelegram || !receives(settings)) return { kind: 'forged' };
  const update = readDocument(body);
  if (!isObject(update)) return { kind: 'malformed', problem: 'the body is not a JSON object' };
  const { presses, ...parsed } = parseUpdates([update]);
  return { kind: 'receipts', receipts: [], ...parsed, ...answerTo(presses[0]) };
}

/** A method that the answer calls (Bot API, "Making requests when getting updates"). */
function answerTo(press: string | undefined): { readonly answer?: string; readonly answerType?: string } {
  if (press === undefined) return {};
  const answer = JSON.stringify({ method: 'answerCallbackQuery', callback_query_id: press });
  return { answer, answerType: 'application/json' };
}
