import type { Refusal } from './chats.ts';
import { type HookPosts, postUpdates, type Webhook } from './hook.ts';
import type { Parameters } from './parameters.ts';
import { UpdateQueue } from './update-queue.ts';

/** A file that a person sent, as the bot may download it. */
export interface HeldFile {
  readonly bytes: Buffer;
  readonly path: string;
}

/** The receiving side of a bot. */
export interface Receiving {
  readonly queue: UpdateQueue;
  readonly files: Map<string, HeldFile>;
  /** The ids of pressed buttons that the bot has acknowledged. */
  readonly acknowledged: string[];
  webhook: Webhook | null;
  posts: HookPosts | null;
  allowed: readonly string[];
  /** Ends the question that is open. */
  poller: AbortController | null;
  /** So many more calls about updates answer 500. */
  failures: number;
  /** Where the addresses of webhooks really are: a prefix, and what it stands for. */
  routes: Map<string, string>;
  /** The refusals with 409 so far. */
  conflicts: number;
}

type Answer = { readonly result: unknown } | Refusal;

/** All kinds but those that a bot must name (Bot API, "getUpdates"). */
const defaultKinds =
  `message edited_message channel_post edited_channel_post callback_query my_chat_member poll`.split(' ');
const megabyte = 1_048_576;

export function startReceiving(): Receiving {
  return {
    queue: new UpdateQueue(),
    files: new Map(),
    acknowledged: [],
    webhook: null,
    posts: null,
    allowed: defaultKinds,
    poller: null,
    failures: 0,
    routes: new Map(),
    conflicts: 0,
  };
}

/** Runs a method about updates. Null if the method is none of those. `gone` aborts when the caller has hung up. */
export async function receive(
  bot: Receiving,
  method: string,
  { fields }: Parameters,
  gone: AbortSignal,
): Promise<Answer | null> {
  switch (method.toLowerCase()) {
    case 'getupdates':
      return failing(bot) ?? getUpdates(bot, fields, gone);
    case 'setwebhook':
      return failing(bot) ?? setWebhook(bot, fields);
    case 'deletewebhook':
      return failing(bot) ?? removeWebhook(bot, fields);
    case 'getwebhookinfo':
      return failing(bot) ?? { result: webhookInfo(bot) };
    case 'getfile':
      return failing(bot) ?? getFile(bot, fields.get('file_id') ?? '');
    case 'answercallbackquery':
      bot.acknowledged.push(fields.get('callback_query_id') ?? '');
      return { result: true };
    default:
      return null;
  }
}

function failing(bot: Receiving): Refusal | null {
  if (bot.failures <= 0) return null;
  bot.failures -= 1;
  return { code: 500, description: 'Internal Server Error' };
}

/** A newer question ends the older one with 409, as a webhook does. */
async function getUpdates(
  bot: Receiving,
  fields: ReadonlyMap<string, string>,
  gone: AbortSignal,
): Promise<Answer> {
  if (bot.webhook !== null)
    return conflict(bot, "can't use getUpdates method while webhook is active; use deleteWebhook");
  allow(bot, fields.get('allowed_updates'));
  bot.poller?.abort();
  const poller = new AbortController();
  bot.poller = poller;
  const offset = Number(fields.get('offset') ?? 0);
  const start = offset === 0 ? 0 : bot.queue.confirmBefore(offset);
  const limit = Math.min(100, Math.max(1, Number(fields.get('limit') ?? 100)));
  const over = AbortSignal.timeout(Number(fields.get('timeout') ?? 0) * 1_000);
  const ended = AbortSignal.any([over, poller.signal, gone]);
  while (bot.queue.from(start, 1).length === 0 && !ended.aborted) await bot.queue.next(ended);
  if (bot.poller === poller) bot.poller = null;
  if (poller.signal.aborted)
    return conflict(
      bot,
      'terminated by other getUpdates request; make sure that only one bot instance is running',
    );
  const updates = gone.aborted ? [] : bot.queue.from(start, limit);
  bot.queue.given(updates, 'read');
  return { result: updates };
}

function setWebhook(bot: Receiving, fields: ReadonlyMap<string, string>): Answer {
  const url = fields.get('url') ?? '';
  if (url === '') return removeWebhook(bot, fields);
  if (!url.startsWith('https://'))
    return { code: 400, description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook' };
  if (new URL(url).hostname.endsWith('.internal'))
    return {
      code: 400,
      description: 'Bad Request: bad webhook: Failed to resolve host: Name or service not known',
    };
  const secretToken = fields.get('secret_token') ?? null;
  if (secretToken !== null && !/^[A-Za-z0-9_-]{1,256}$/.test(secretToken))
    return { code: 400, description: 'Bad Request: secret token contains unallowed characters' };
  removeWebhook(bot, fields);
  allow(bot, fields.get('allowed_updates'));
  bot.webhook = { url, secretToken };
  bot.poller?.abort();
  const reach = (at: string): string => {
    const [from, to] = [...bot.routes].find(([prefix]) => at.startsWith(prefix)) ?? ['', ''];
    return to + at.slice(from.length);
  };
  bot.posts = postUpdates(bot.webhook, bot.queue, reach, (method, parameters) => {
    const told = new Map(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    void receive(bot, method, { fields: told, files: new Map() }, AbortSignal.abort());
  });
  return { result: true };
}

function removeWebhook(bot: Receiving, fields: ReadonlyMap<string, string>): Answer {
  bot.posts?.stop();
  bot.posts = bot.webhook = null;
  if (fields.get('drop_pending_updates') === 'true') bot.queue.dropAll();
  return { result: true };
}

function webhookInfo({ webhook, queue, posts, allowed }: Receiving): object {
  const error = posts?.lastError ?? null;
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: queue.count,
    allowed_updates: allowed,
    ...(error === null ? {} : { last_error_date: error.at, last_error_message: error.message }),
  };
}

/** An empty list stands for the default; nothing keeps what was said before. */
function allow(bot: Receiving, kinds: string | undefined): void {
  if (kinds === undefined) return;
  const named = JSON.parse(kinds) as string[];
  bot.allowed = named.length === 0 ? defaultKinds : named;
}

function getFile({ files }: Receiving, id: string): Answer {
  const file = files.get(id);
  if (file === undefined)
    return { code: 400, description: 'Bad Request: wrong file_id or the file is no longer available' };
  if (file.bytes.length > 20 * megabyte) return { code: 400, description: 'Bad Request: file is too big' };
  return { result: { file_id: id, file_unique_id: id, file_size: file.bytes.length, file_path: file.path } };
}

function conflict(bot: Receiving, why: string): Refusal {
  bot.conflicts += 1;
  return { code: 409, description: `Conflict: ${why}` };
}
