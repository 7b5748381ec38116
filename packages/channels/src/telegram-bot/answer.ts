import type { HttpAnswer } from '../http-outcome.ts';

/** Telegram's answer: `{ok, result}` or `{ok, error_code, description, parameters}` (Bot API, "Making requests"). */
export type TelegramAnswer =
  | { readonly ok: true; readonly messageId: string | null; readonly username: string | null }
  | ({ readonly ok: false } & Refusal);

export interface Refusal {
  readonly code: number;
  readonly description: string;
  /** `parameters.retry_after`: every call of the bot fails until then. */
  readonly retryAfterMs: number | null;
  /** `parameters.migrate_to_chat_id`: the new id of a group that has become a supergroup. */
  readonly movedTo: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads an answer; null when it is not Telegram's, such as a proxy's page, or is truncated. */
export function readTelegram(answer: HttpAnswer): TelegramAnswer | null {
  const said = objectOf(parsed(answer.body.toString('utf8')));
  if (said['ok'] === true) return readResult(objectOf(said['result']));
  if (said['ok'] !== false) return null;
  const { retry_after: seconds, migrate_to_chat_id: moved } = objectOf(said['parameters']);
  return {
    ok: false,
    code: typeof said['error_code'] === 'number' ? said['error_code'] : answer.status,
    description: typeof said['description'] === 'string' ? said['description'] : '',
    retryAfterMs: typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : null,
    movedTo: Number.isSafeInteger(moved) ? String(moved) : null,
  };
}

/** A `message_id` of 0 means that Telegram sends the message later; it is not an id (Bot API, `Message`). */
function readResult({ message_id: id, username }: Fields): TelegramAnswer {
  const messageId = Number.isSafeInteger(id) && id !== 0 ? String(id) : null;
  return { ok: true, messageId, username: typeof username === 'string' ? username : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
