import type { HttpResult } from '@notify/egress';
import type { SendContext } from '../adapter/channel.ts';
import type { ReadUpdates, UpdatesFailed, UpdatesTaken } from '../adapter/updates.ts';
import { objectOf } from '../reading/untrusted.ts';
import { readTelegram } from './answer.ts';
import { ask, callDeadlineMs, type TelegramContext } from './call.ts';
import { failed, takenByPoller } from './subscribe.ts';
import { allowedUpdates, parseUpdates } from './updates.ts';

/** The most updates of one answer; fewer if those are too long together. */
const limits = [100, 10, 1] as const;
/** An update has at most about 100 KB: a text of 4,096 characters with its entities, and the one it answers. */
const maxBytes = 8 * 1_048_576;
/** How long all presses of one answer may take, in ms, and how many are acknowledged at once. */
const acknowledgeMs = 5_000;
const acknowledgedAtOnce = 4;

/**
 * Asks for updates (Bot API, "getUpdates": https://core.telegram.org/bots/api#getupdates). An offset confirms all
 * updates before it.
 */
export async function readUpdates(
  { next, waitMs }: { readonly next: string | null; readonly waitMs: number },
  context: TelegramContext,
): Promise<ReadUpdates | UpdatesTaken | UpdatesFailed> {
  let result: HttpResult | undefined;
  for (const limit of limits) {
    const parameters = {
      ...(next === null ? {} : { offset: Number(next) }),
      limit,
      timeout: Math.floor(waitMs / 1_000),
      allowed_updates: allowedUpdates,
    };
    result = await ask('getUpdates', context, parameters, { deadlineMs: waitMs + callDeadlineMs, maxBytes });
    if (!result.ok || !result.truncated || result.body.length < maxBytes) break;
  }
  return judge(result!, context);
}

function judge(result: HttpResult, context: TelegramContext): ReadUpdates | UpdatesTaken | UpdatesFailed {
  const said = result.ok ? readTelegram(result) : null;
  if (said?.ok === true && Array.isArray(said.result)) return toRead(said.result);
  if (said?.ok === false && said.code === 409)
    return /webhook/i.test(said.description)
      ? { kind: 'taken', by: 'webhook', detail: 'The bot has a webhook.' }
      : takenByPoller;
  return failed(result, said, context);
}

/** The next number follows that of the last update, even if it is lower than one before it: Telegram may start anew. */
function toRead(updates: readonly unknown[]): ReadUpdates {
  const { presses, ...parsed } = parseUpdates(updates);
  const last = updates
    .map((update) => objectOf(update)['update_id'])
    .findLast((id) => Number.isSafeInteger(id));
  return {
    kind: 'read',
    ...parsed,
    next: last === undefined ? null : String(Number(last) + 1),
    acknowledge: (context) => acknowledge(presses, context as TelegramContext),
  };
}

/** Ends the progress bars on pressed buttons. Telegram drops answers that come too late. */
async function acknowledge(
  presses: readonly string[],
  context: SendContext<TelegramContext['settings']>,
): Promise<void> {
  const left = presses.values();
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(acknowledgeMs)]);
  const limits = { deadlineMs: acknowledgeMs };
  async function acknowledgeNext(): Promise<void> {
    for (const id of left) {
      if (signal.aborted) return;
      await ask('answerCallbackQuery', { ...context, signal }, { callback_query_id: id }, limits);
    }
  }
  await Promise.all(Array.from({ length: acknowledgedAtOnce }, acknowledgeNext));
}
