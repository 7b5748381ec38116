import type { PairingUrl } from '../adapter/channel.ts';
import { readTelegram } from './answer.ts';
import { ask, type TelegramContext } from './call.ts';
import { failed } from './subscribe.ts';

/** A link that opens the bot and has the payload sent to it (https://core.telegram.org/bots/features#deep-linking). */
export async function pairingUrl(payload: string, context: TelegramContext): Promise<PairingUrl> {
  const result = await ask('getMe', context);
  const said = result.ok ? readTelegram(result) : null;
  const username = said?.ok === true ? said.username : null;
  if (username !== null && /^\w{1,64}$/.test(username))
    return { kind: 'url', url: `https://t.me/${username}?start=${payload}` };
  const { refused, detail } = failed(result, said, context);
  return { kind: 'failed', refused, detail };
}
