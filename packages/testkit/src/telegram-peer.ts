import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Bot,
  carryOut,
  nextAnswer,
  pauseLeft,
  type Result,
  type TelegramAnswer,
  type TelegramBehaviour,
  tooMany,
} from './telegram/bot.ts';
import { type ChatState, openChats } from './telegram/chats.ts';
import { type TelegramEntry, TelegramLedger } from './telegram/ledger.ts';
import { readParameters } from './telegram/parameters.ts';

/** Telegram's Bot API with one bot, to be connected with `settings` as a `telegram-bot` account. */
export interface TelegramPeer extends AsyncDisposable {
  /** The base URL to use instead of Telegram's. */
  readonly url: string;
  readonly settings: { readonly botToken: string };
  ledger(): readonly TelegramEntry[];
  behave(behaviour: TelegramBehaviour): void;
  /** Creates or changes a chat. For the initial chats see `openChats`. */
  setChat(chat: string, state: ChatState): void;
  /** Whether BotFather has taken the token back. */
  revoke(revoked: boolean): void;
  /** Answers 429 above this many messages a second; null, the initial value, means never. */
  floodAbove(perSecond: number | null): void;
  /** Closes the port, so that connections are refused, or opens it again. */
  listen(open: boolean): Promise<void>;
  /** Resolves as soon as the ledger satisfies the condition. */
  when(condition: (ledger: readonly TelegramEntry[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The token of the peer's bot. Any other token is refused. */
const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

/** Starts Telegram on a port of loopback. */
export async function startTelegramPeer(port = 0): Promise<TelegramPeer> {
  const bot: Bot = {
    token,
    chats: openChats(),
    ledger: new TelegramLedger(),
    behaviour: behaviourOf({ answer: 'send' }, 0),
    revoked: false,
    floodAbove: null,
    pausedUntil: 0,
    recent: [],
    sentInAll: 0,
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
    if (server.listening) await close();
  };
  return {
    url: `http://127.0.0.1:${bound}`,
    settings: { botToken: token },
    ledger: () => bot.ledger.entries(),
    behave: (behaviour) => void (bot.behaviour = behaviourOf(behaviour, bot.sentInAll)),
    setChat: (chat, state) => bot.chats.set(chat, state),
    revoke: (revoked) => void (bot.revoked = revoked),
    floodAbove: (perSecond) => void (bot.floodAbove = perSecond),
    async listen(wanted) {
      if (wanted !== server.listening) await (wanted ? open(bound) : close());
    },
    when: (condition) => bot.ledger.when(condition),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function behaviourOf(behaviour: TelegramBehaviour, sentInAll: number): Required<TelegramBehaviour> {
  const { answer, times = answer === 'throttle' ? 1 : Infinity, after = 0 } = behaviour;
  const { retryAfter = 3, latencyMs = 0 } = behaviour;
  return { answer, times, after: sentInAll + after, retryAfter, latencyMs };
}

async function serve(request: IncomingMessage, response: ServerResponse, bot: Bot): Promise<void> {
  const [, given = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
  const parameters = await readParameters(request);
  // A caller that disconnects before its request is complete has requested nothing.
  if (parameters === null) return void response.destroy();
  const refusal = refusalOfToken(given, bot) ?? refusalOfPause(bot);
  const { fields } = parameters;
  if (method.startsWith('send')) {
    const said = fields.get('text') ?? fields.get('caption') ?? '';
    bot.ledger.asked(fields.get('chat_id') ?? '', said, method, refusal?.code === 429);
  }
  if (bot.behaviour.latencyMs > 0) await wait(bot.behaviour.latencyMs);
  if (refusal !== null) return reply(response, refusal, 'send');
  const answer = nextAnswer(bot);
  if (answer.startsWith('send')) return reply(response, await carryOut(bot, method, parameters), answer);
  return refuse(response, bot, answer);
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

function reply(response: ServerResponse, result: Result, answer: TelegramAnswer): void {
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
