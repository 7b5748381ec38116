import { noUrl, type Outcome } from '@notify/core';
import type { HttpRequest, HttpResult, SpooledFile } from '@notify/egress';
import { noStream, sendRequest } from '../../../test/conformance/conformance.ts';
import type { Media, MediaType, SendRequest } from '../../adapter/channel.ts';
import type { TelegramSettings } from '../settings.ts';
import { telegramBot } from '../telegram-bot.ts';

/* Runs the adapter against prepared answers. */

export const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
export const settings = { botToken };
export const base = 'https://api.telegram.org';
export const megabyte = 1_048_576;

/** A Telegram answer with this code and these fields. */
export function says(code: number, fields: object = {}): HttpResult {
  const body = Buffer.from(JSON.stringify({ ok: false, error_code: code, ...fields }));
  return { ok: true, status: code, headers: {}, body, truncated: false, durationMs: 1 };
}

/** An answer that may come from something other than Telegram. */
export function page(status: number, body: string, truncated = false): HttpResult {
  return { ok: true, status, headers: {}, body: Buffer.from(body), truncated, durationMs: 1 };
}

export const taken = page(200, '{"ok":true,"result":{"message_id":17}}');
/** A refusal with a description. */
export function described(code: number, description: string): HttpResult {
  return says(code, { description });
}

/** Sends with the prepared answers in order. Returns the requests and the outcome. */
export async function send(
  changes: Partial<SendRequest>,
  answers: readonly HttpResult[] = [taken],
  chosen: TelegramSettings = settings,
): Promise<{ readonly asked: readonly HttpRequest[]; readonly outcome: Outcome }> {
  const asked: HttpRequest[] = [];
  const request = async (each: HttpRequest): Promise<HttpResult> => {
    const answer = answers[asked.push(each) - 1];
    if (answer === undefined) throw new Error('asked more often than expected');
    return answer;
  };
  const http = { request, stream: noStream, close: async () => undefined };
  const { signal } = new AbortController();
  const outcome = await telegramBot.send(sendRequest(changes), {
    settings: chosen,
    http,
    baseUrl: base,
    signal,
  });
  return { asked, outcome };
}

/** A file that counts its downloads and its removals. */
export function fileOf(
  changes: Partial<Media> = {},
  bytes = 6,
): { readonly media: Media; readonly seen: { readonly downloads: number; readonly removals: number } } {
  const seen = { downloads: 0, removals: 0 };
  const file: SpooledFile = {
    bytes,
    mimeType: changes.mimeType ?? 'image/png',
    async *open() {
      yield Buffer.from('pixels');
    },
    [Symbol.asyncDispose]: async () => void (seen.removals += 1),
  };
  const media: Media = {
    url: 'https://files.example/a/cat.png',
    mimeType: 'image/png',
    bytes,
    filename: null,
    caption: 'A cat',
    download: async () => ((seen.downloads += 1), file),
    ...changes,
  };
  return { media, seen };
}

/** The fields of a send request with a file. */
export function sending(type: MediaType, media: Media): Partial<SendRequest> {
  return { type, media, body: { type, url: media.url ?? noUrl, caption: null } };
}
