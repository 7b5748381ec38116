import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Bot,
  carryOut,
  nextAnswer,
  pauseLeft,
  type Result,
  type ShownTyping,
  type TelegramAnswer,
  type TelegramBehaviour,
  tooMany,
} from './bot.ts';
import { type ChatState, isSupergroup, openChats } from './chats.ts';
import { type TelegramEntry, TelegramLedger } from './ledger.ts';
import { readParameters } from './parameters.ts';
import { type People, peopleOf } from './people.ts';
import { receive, type Receiving, startReceiving } from './receiving.ts';
import type { UpdateRecord } from './update-queue.ts';

/** Telegram's Bot API with one bot, to be connected with `settings` as a `telegram-bot` account. */
export interface TelegramPeer extends AsyncDisposable {
  /** The base URL to use instead of Telegram's. */
  readonly url: string;
  readonly settings: { readonly botToken: string };
  ledger(): readonly TelegramEntry[];
  /** Where the bot has shown that it types, in order. */
  typing(): readonly ShownTyping[];
  behave(behaviour: TelegramBehaviour): void;
  /** Creates or changes a chat. For the initial chats see `openChats`. */
  setChat(chat: string, state: ChatState): void;
  /** Whether BotFather has taken the token back. */
  revoke(revoked: boolean): void;
  /** Answers 429 above this many messages a second; null, the initial value, means never. */
  floodAbove(perSecond: number | null): void;
  /** Closes the port, so that connections are refused, or opens it again. */
  listen(open: boolean): Promise<void>;
  /** What people do. */
  readonly people: People;
  readonly updates: TelegramUpdates;
  /** Resolves as soon as the ledger satisfies the condition. */
  when(condition: (ledger: readonly TelegramEntry[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** How the bot gets its updates. */
export interface TelegramUpdates {
  /** Every update so far, oldest first. */
  history(): readonly UpdateRecord[];
  /** Resolves as soon as the updates satisfy the condition. */
  when(condition: (history: readonly UpdateRecord[]) => boolean): Promise<void>;
  /** The address of the webhook; null without one. */
  webhook(): string | null;
  /** Sets a webhook, as another program with the token may; null removes it. */
  setWebhook(url: string | null): Promise<void>;
  /** The ids of the pressed buttons that the bot has acknowledged. */
  acknowledged(): readonly string[];
  /** Answers with 409 so far. */
  conflicts(): number;
  /** Whether a question of the bot is open. */
  isPolled(): boolean;
  /** Posts to `to` what belongs to an address below `from`, such as `https://notify.example`. */
  route(from: string, to: string): void;
  /** Answers the next calls about updates with 500. */
  fail(times: number): void;
  /** Lets time pass for the updates that wait. */
  pass(ms: number): void;
}

/** The token of the peer's bot, unless it is given another. Any other token is refused. */
export const usualToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

/** Starts Telegram on a port of loopback. */
export async function startTelegramPeer(port = 0, token = usualToken): Promise<TelegramPeer> {
  const bot: Bot = {
    token,
    chats: openChats(),
    ledger: new TelegramLedger(),
    behaviour: behaviourOf({ answer: 'send' }, 0),
    topics: new Set(),
    revoked: false,
    floodAbove: null,
    pausedUntil: 0,
    recent: [],
    sentInAll: 0,
    receiving: startReceiving(),
    typing: [],
    nextMessageId: messageNumbers(),
  };
  const server = createServer((request, response) => void serve(request, response, bot));
  server.keepAliveTimeout = 60_000;
  const open = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await open(port);
  const bound = (server.address() as AddressInfo).port;
  const stop = async () => {
    bot.receiving.posts?.stop();
    bot.receiving.poller?.abort();
    if (server.listening) await close();
  };
  return {
    url: `http://127.0.0.1:${bound}`,
    settings: { botToken: token },
    ledger: () => bot.ledger.entries(),
    typing: () => [...bot.typing],
    behave: (behaviour) => void (bot.behaviour = behaviourOf(behaviour, bot.sentInAll)),
    setChat: (chat, state) => bot.chats.set(chat, state),
    revoke: (revoked) => void (bot.revoked = revoked),
    floodAbove: (perSecond) => void (bot.floodAbove = perSecond),
    async listen(wanted) {
      if (wanted !== server.listening) await (wanted ? open(bound) : close());
    },
    people: peopleOf(bot),
    updates: updatesOf(bot.receiving),
    when: (condition) => bot.ledger.when(condition),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** One row of numbers for all chats but supergroups, which have one each. */
function messageNumbers(): (chat: number) => number {
  const last = new Map<number, number>();
  return (chat) => {
    const row = isSupergroup(chat) ? chat : 0;
    const number = (last.get(row) ?? 0) + 1;
    last.set(row, number);
    return number;
  };
}

function updatesOf(receiving: Receiving): TelegramUpdates {
  const { queue } = receiving;
  const forever = new AbortController().signal;
  return {
    history: () => queue.history(),
    async when(condition) {
      while (!condition(queue.history())) await queue.next(forever);
    },
    webhook: () => receiving.webhook?.url ?? null,
    async setWebhook(url) {
      const fields = new Map([['url', url ?? '']]);
      await receive(receiving, 'setWebhook', { fields, files: new Map() }, forever);
    },
    acknowledged: () => receiving.acknowledged,
    conflicts: () => receiving.conflicts,
    isPolled: () => receiving.poller !== null,
    route: (from, to) => void receiving.routes.set(from, to),
    fail: (times) => void (receiving.failures = times),
    pass: (ms) => queue.pass(ms),
  };
}

function behaviourOf(behaviour: TelegramBehaviour, sentInAll: number): Required<TelegramBehaviour> {
  const { answer, times = answer === 'throttle' ? 1 : Infinity, after = 0 } = behaviour;
  const { retryAfter = 3, latencyMs = 0 } = behaviour;
  return { answer, times, after: sentInAll + after, retryAfter, latencyMs };
}

async function serve(request: IncomingMessage, response: ServerResponse, bot: Bot): Promise<void> {
  if (request.url?.startsWith('/file/') === true) return serveFile(request.url, response, bot);
  const [, given = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
  const parameters = await readParameters(request);
  // A caller that disconnects before its request is complete has requested nothing.
  if (parameters === null) return void response.destroy();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // The limits of sends, and how sends misbehave, do not concern what is received.
  const received =
    refusalOfToken(given, bot) ?? (await receive(bot.receiving, method, parameters, gone.signal));
  if (received !== null) return reply(response, received, 'send');
  const refusal = refusalOfPause(bot);
  const { fields } = parameters;
  if (method.startsWith('send') && method !== 'sendChatAction') {
    const said = fields.get('text') ?? fields.get('caption') ?? '';
    bot.ledger.asked(
      fields.get('chat_id') ?? '',
      said,
      method,
      refusal?.code === 429,
      Object.fromEntries(fields),
    );
  }
  if (bot.behaviour.latencyMs > 0) await wait(bot.behaviour.latencyMs);
  if (refusal !== null) return reply(response, refusal, 'send');
  const answer = nextAnswer(bot);
  if (answer.startsWith('send')) return reply(response, await carryOut(bot, method, parameters), answer);
  return refuse(response, bot, answer);
}

/** `/file/bot<token>/<path>`: a file that a person sent. */
function serveFile(url: string, response: ServerResponse, bot: Bot): void {
  const [, given = '', path = ''] = /^\/file\/bot([^/]+)\/(.+)$/.exec(url) ?? [];
  const refusal = refusalOfToken(given, bot);
  const file = [...bot.receiving.files.values()].find((each) => each.path === decodeURIComponent(path));
  if (refusal !== null) return reply(response, refusal, 'send');
  if (file === undefined) return reply(response, { code: 404, description: 'Not Found' }, 'send');
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
}

function refusalOfToken(given: string, bot: Bot): Extract<Result, { code: number }> | null {
  if (!/^\d+:[\w-]+$/.test(given)) return { code: 404, description: 'Not Found' };
  if (given !== bot.token || bot.revoked) return { code: 401, description: 'Unauthorized' };
  return null;
}

function refusalOfPause(bot: Bot): Extract<Result, { code: number }> | null {
  const seconds = pauseLeft(bot);
  return seconds === null ? null : tooMany(seconds);
}

function refuse(response: ServerResponse, bot: Bot, answer: TelegramAnswer): void {
  if (answer === 'throttle') {
    bot.pausedUntil = Date.now() + bot.behaviour.retryAfter * 1_000;
    reply(response, tooMany(bot.behaviour.retryAfter), 'send');
  }
  if (answer === 'fail') reply(response, { code: 500, description: 'Internal Server Error' }, 'send');
  if (answer === 'gateway-page') response.writeHead(502).end('<html>502 Bad Gateway</html>');
}

type Answer = { readonly result: unknown } | Extract<Result, { code: number }>;

function reply(response: ServerResponse, result: Answer, answer: TelegramAnswer): void {
  if (answer === 'send-and-hang') return;
  if (answer === 'send-and-reset') return void response.socket?.resetAndDestroy();
  const status = 'code' in result ? result.code : 200;
  const body = JSON.stringify('code' in result ? envelope(result) : { ok: true, result: result.result });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers);
  if (answer === 'send-and-cut') response.write(body.slice(0, 20), () => response.socket?.destroySoon());
  else response.end(body);
}

function envelope({ code, ...rest }: Extract<Result, { code: number }>): object {
  return { ok: false, error_code: code, ...rest };
}
