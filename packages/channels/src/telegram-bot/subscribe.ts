import { scrub } from '@notify/core';
import type { Subscribed, UpdateHook, UpdatesFailed, UpdatesTaken } from '../adapter/updates.ts';
import type { HttpResult } from '@notify/egress';
import { objectOf, textIn } from '../reading/untrusted.ts';
import { notVerified, redact } from '../requests/http-outcome.ts';
import { readTelegram, type Refusal } from './answer.ts';
import { ask, secretsOf, type TelegramContext } from './call.ts';
import { outcomeOf } from './errors.ts';
import { allowedUpdates } from './updates.ts';
import { secretTokenOf } from './webhook.ts';

const maxUrl = 2_048;
/** Advice for the account whose updates go to another program. */
const ignoreOrFree =
  'Set "Messages to the bot" to ignore if that program should go on reading them, or stop it there';

/**
 * Sets the webhook to our address (Bot API, "setWebhook": https://core.telegram.org/bots/api#setwebhook), unless it is
 * another program's. Updates that already wait are posted, too.
 */
export async function subscribe(hook: UpdateHook, context: TelegramContext): Promise<Subscribed> {
  const set = await webhookOf(context);
  if (set.kind !== 'set') return set;
  if (set.url !== '' && !hook.isOurs(set.url)) return takenBy(set.url);
  const result = await ask('setWebhook', context, {
    url: hook.url,
    secret_token: secretTokenOf(context.settings),
    allowed_updates: allowedUpdates,
    drop_pending_updates: false,
  });
  const said = result.ok ? readTelegram(result) : null;
  const secrets = [...secretsOf(context.settings), hook.url, hook.url.slice(hook.url.lastIndexOf('/') + 1)];
  if (said?.ok === true) return { kind: 'done', detail: complaintOf(set, hook.url, secrets) };
  if (said?.code === 400 && /bad webhook/i.test(said.description))
    return { kind: 'unreachable', detail: redact(scrub(said.description, 300), secrets) };
  return failed(result, said, context);
}

/** Removes the webhook if it is ours. Updates that wait are kept for `getUpdates`. */
export async function unsubscribe(
  { isOurs }: Pick<UpdateHook, 'isOurs'>,
  context: TelegramContext,
): Promise<Subscribed> {
  const set = await webhookOf(context);
  if (set.kind !== 'set') return set;
  if (set.url === '') return { kind: 'done', detail: null };
  if (!isOurs(set.url)) return takenBy(set.url);
  const result = await ask('deleteWebhook', context, { drop_pending_updates: false });
  const said = result.ok ? readTelegram(result) : null;
  return said?.ok === true ? { kind: 'done', detail: null } : failed(result, said, context);
}

/** The webhook that is set; its address is empty without one. */
interface SetWebhook {
  readonly kind: 'set';
  readonly url: string;
  readonly complaint: string | null;
}

/** Bot API, "getWebhookInfo": https://core.telegram.org/bots/api#getwebhookinfo */
async function webhookOf(context: TelegramContext): Promise<SetWebhook | UpdatesFailed> {
  const result = await ask('getWebhookInfo', context);
  const said = result.ok ? readTelegram(result) : null;
  if (said?.ok !== true) return failed(result, said, context);
  const info = objectOf(said.result);
  // Telegram keeps the last fault after it is gone. Updates that wait say that it is not.
  const waiting = Number(info['pending_update_count']) > 0;
  return {
    kind: 'set',
    url: textIn(info, 'url', maxUrl) ?? '',
    complaint: waiting ? textIn(info, 'last_error_message', 300) : null,
  };
}

function complaintOf(
  { url, complaint }: SetWebhook,
  ours: string,
  secrets: readonly string[],
): string | null {
  if (url !== ours || complaint === null) return null;
  return `Telegram has updates that it cannot deliver: ${redact(complaint, secrets)}`;
}

/** Names the host of the other program only: its path may be a secret. */
function takenBy(url: string): UpdatesTaken {
  const host = URL.parse(url)?.host ?? 'another address';
  return {
    kind: 'taken',
    by: 'webhook',
    detail: `Messages to the bot go to a webhook at ${host}. ${ignoreOrFree} (deleteWebhook).`,
  };
}

/** What another program that asks for updates causes here. */
export const takenByPoller: UpdatesTaken = {
  kind: 'taken',
  by: 'poll',
  detail: `Another program reads the bot's updates with getUpdates. ${ignoreOrFree}.`,
};

/** What a failed question means. `refused`: a send would break the account, too. */
export function failed(
  result: HttpResult,
  said: Refusal | { ok: true } | null,
  context: TelegramContext,
): UpdatesFailed {
  const asked = { secrets: secretsOf(context.settings), throttles: 0, policy: 'at-least-once' } as const;
  const outcome = outcomeOf(result, asked);
  const afterMs = said !== null && 'retryAfterMs' in said ? said.retryAfterMs : null;
  const { detail } = notVerified(outcome);
  return { kind: 'failed', refused: outcome.kind === 'connection-broken', detail, afterMs };
}
