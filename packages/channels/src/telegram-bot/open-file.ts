import { scrub } from '@notify/core';
import type { HttpStream } from '@notify/egress';
import type { OpenedFile } from '../adapter/inbound.ts';
import { textIn } from '../reading/untrusted.ts';
import { redact } from '../requests/http-outcome.ts';
import { readTelegram } from './answer.ts';
import { ask, secretsOf, type TelegramContext } from './call.ts';
import { failed } from './subscribe.ts';

/** Telegram gives bots files of at most 20 MB. A Bot API server of one's own gives larger ones. */
const maxBytes = 100 * 1_048_576;
const idleMs = 10_000;
const deadlineMs = 120_000;
const maxPath = 1_024;

/**
 * Opens a file (Bot API, "getFile": https://core.telegram.org/bots/api#getfile). Its address is asked for anew each time,
 * because it is good for an hour only. The address holds the token, so no text shows it.
 */
export async function openFile(file: unknown, context: TelegramContext): Promise<OpenedFile> {
  const id = textIn(file, 'id', 512);
  if (id === null) return { kind: 'expired', detail: 'The message names no file.' };
  const located = await locate(id, context);
  if (typeof located !== 'string') return located;
  const { http, baseUrl, settings, signal } = context;
  const answer = await http.stream({
    method: 'GET',
    url: `${baseUrl}/file/bot${settings.botToken}/${located}`,
    maxBytes,
    idleMs,
    deadlineMs,
    signal,
  });
  return opened(answer, textIn(file, 'mimeType', 256), secretsOf(settings));
}

/** The path of the file below the token, safe to put into a URL. */
async function locate(id: string, context: TelegramContext): Promise<string | OpenedFile> {
  const result = await ask('getFile', context, { file_id: id });
  const said = result.ok ? readTelegram(result) : null;
  if (said?.ok === true) {
    const path = textIn(said.result, 'file_path', maxPath);
    return path === null
      ? { kind: 'unavailable', detail: 'Telegram names no path of the file.' }
      : pathOf(path);
  }
  const { detail } = failed(result, said, context);
  const isGone = said?.code === 400 && !/temporarily unavailable/i.test(said.description);
  return { kind: isGone ? 'expired' : 'unavailable', detail };
}

/** Dots and slashes must not lead out of the bot's folder. */
function pathOf(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
  return names.map((name) => encodeURIComponent(name)).join('/');
}

function opened(answer: HttpStream, mimeType: string | null, secrets: readonly string[]): OpenedFile {
  if (!answer.ok) {
    const text = redact(scrub(answer.text, 300), secrets);
    return { kind: 'unavailable', detail: `No response (${answer.error}): ${text}` };
  }
  const { status, headers, body } = answer;
  if (status === 200) {
    const length = headers['content-length'];
    const bytes = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
    return { kind: 'file', mimeType, bytes, content: body };
  }
  void body[Symbol.asyncIterator]().return?.();
  return {
    kind: status === 404 ? 'expired' : 'unavailable',
    detail: `Telegram answered the file with HTTP ${status}.`,
  };
}
