import { serveControl } from './peer-process.ts';
import type { TelegramBehaviour } from './telegram/bot.ts';
import type { ChatState } from './telegram/chats.ts';
import { startTelegramPeer } from './telegram-peer.ts';

/*
 * Telegram as a separate process: `node telegram-peer-main.ts [port] [controlPort]`. When it listens, it prints one
 * line of JSON, `{url, settings, controlUrl}`. On the control port: GET /ledger; POST /behave with a behaviour; POST
 * /chat with {chat, state}; POST /revoke and POST /listen with true or false; POST /flood with a number or null.
 * SIGTERM ends it.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startTelegramPeer(Number(port));
const { url, settings } = peer;
serveControl(
  Number(controlPort),
  { url, settings },
  {
    'GET /ledger': () => peer.ledger(),
    'POST /behave': (behaviour: TelegramBehaviour) => peer.behave(behaviour),
    'POST /chat': ({ chat, state }: { chat: string; state: ChatState }) => peer.setChat(chat, state),
    'POST /revoke': (revoked: boolean) => peer.revoke(revoked),
    'POST /listen': (open: boolean) => peer.listen(open),
    'POST /flood': (perSecond: number | null) => peer.floodAbove(perSecond),
  },
);
