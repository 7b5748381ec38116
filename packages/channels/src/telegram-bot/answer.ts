import { jsonIn } from '../reading/json.ts';
import { objectOf } from '../reading/untrusted.ts';
import type { HttpAnswer } from '../requests/http-outcome.ts';
import { externalIdOf } from './ids.ts';

/** Telegram's answer: `{ok, result}` or `{ok, error_code, description, parameters}` (Bot API, "Making requests"). */
export type TelegramAnswer =
  | {
      readonly ok: true;
      /** Our id of the message that was sent; null if the answer has none. */
      readonly externalId: string | null;
      readonly username: string | null;
      readonly result: unknown;
    }
  | ({ readonly ok: false } & Refusal);

export interface Refusal {
  readonly code: number;
  readonly description: string;
  /** `parameters.retry_after`, at most an hour: every call of the bot fails until then. */
  readonly retryAfterMs: number | null;
  /** `parameters.migrate_to_chat_id`: the new id of a group that has become a supergroup. */
  readonly movedTo: string | null;
}

/** Reads an answer; null when it is not Telegram's, such as a proxy's page, or is truncated. */
export function readTelegram(answer: HttpAnswer): TelegramAnswer | null {
  const said = objectOf(jsonIn(answer.body));
  if (said['ok'] === true) return readResult(said['result']);
  if (said['ok'] !== false) return null;
  const { retry_after: seconds, migrate_to_chat_id: moved } = objectOf(said['parameters']);
  return {
    ok: false,
    code: typeof said['error_code'] === 'number' ? said['error_code'] : answer.status,
    description: typeof said['description'] === 'string' ? said['description'] : '',
    retryAfterMs: typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, 3_600) * 1_000 : null,
    movedTo: Number.isSafeInteger(moved) ? String(moved) : null,
  };
}

function readResult(result: unknown): TelegramAnswer {
  const { username } = objectOf(result);
  return {
    ok: true,
    externalId: externalIdOf(result),
    username: typeof username === 'string' ? username : null,
    result,
  };
}
