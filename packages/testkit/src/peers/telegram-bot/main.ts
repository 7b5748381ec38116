import { serveControl } from '../peer-process.ts';
import type { TelegramBehaviour } from './bot.ts';
import type { ChatState } from './chats.ts';
import type { PersonsFile } from './people.ts';
import { startTelegramPeer } from './telegram-peer.ts';

interface Touched {
  readonly chat: number;
  readonly messageId: number;
}

/*
 * Telegram as a separate process: `node main.ts [port] [controlPort]`. When it listens, it prints one
 * line of JSON, `{url, settings, controlUrl}`. On the control port: GET /ledger and /typing; POST /behave with a behaviour; POST
 * /chat with {chat, state}; POST /revoke and POST /listen with true or false; POST /flood with a number or null.
 * What people do: POST /write {chat, text, replyTo?}; /file {chat, kind, base64, filename?, mimeType?, caption?}; /edit
 * {chat, messageId, text}; /react {chat, messageId, emoji}; /press {chat, messageId, data}; /start {chat, payload?};
 * /block and /unblock with a chat; /migrate {group, supergroup}. GET /updates has how the bot got them; POST /route
 * {from, to} says where a public URL really is; POST /fail with how many calls about updates should fail. SIGTERM ends it.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startTelegramPeer(Number(port));
const { url, settings, people } = peer;
serveControl(
  Number(controlPort),
  { url, settings },
  {
    'GET /ledger': () => peer.ledger(),
    'GET /typing': () => peer.typing(),
    'POST /behave': (behaviour: TelegramBehaviour) => peer.behave(behaviour),
    'POST /chat': ({ chat, state }: { chat: string; state: ChatState }) => peer.setChat(chat, state),
    'POST /revoke': (revoked: boolean) => peer.revoke(revoked),
    'POST /listen': (open: boolean) => peer.listen(open),
    'POST /flood': (perSecond: number | null) => peer.floodAbove(perSecond),
    'GET /updates': () => ({
      history: peer.updates.history(),
      webhook: peer.updates.webhook(),
      acknowledged: peer.updates.acknowledged(),
      conflicts: peer.updates.conflicts(),
    }),
    'POST /route': ({ from, to }: { from: string; to: string }) => peer.updates.route(from, to),
    'POST /fail': (times: number) => peer.updates.fail(times),
    'POST /write': ({ chat, text, ...options }: { chat: number; text: string; replyTo?: number }) =>
      people.write(chat, text, options),
    'POST /file': ({
      chat,
      base64,
      ...file
    }: { chat: number; base64: string } & Omit<PersonsFile, 'bytes'>) =>
      people.sendFile(chat, { ...file, bytes: Buffer.from(base64, 'base64') }),
    'POST /edit': ({ chat, messageId, text }: Touched & { text: string }) =>
      people.edit(chat, messageId, text),
    'POST /react': ({ chat, messageId, emoji }: Touched & { emoji: string | null }) =>
      people.react(chat, messageId, emoji),
    'POST /press': ({ chat, messageId, data }: Touched & { data: string }) =>
      people.press(chat, messageId, data),
    'POST /start': ({ chat, payload }: { chat: number; payload?: string }) => people.start(chat, payload),
    'POST /block': (chat: number) => people.block(chat),
    'POST /unblock': (chat: number) => people.unblock(chat),
    'POST /migrate': ({ group, supergroup }: { group: number; supergroup: number }) =>
      people.migrate(group, supergroup),
  },
);
