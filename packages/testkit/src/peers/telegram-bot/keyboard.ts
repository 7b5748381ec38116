import type { Refusal } from './chats.ts';

interface Button {
  readonly text?: unknown;
  readonly callback_data?: unknown;
  readonly url?: unknown;
}

/**
 * Reads an inline keyboard (https://core.telegram.org/bots/api#inlinekeyboardmarkup), and refuses one that Telegram refuses. The data of
 * a button has 1 to 64 bytes.
 */
export function readKeyboard(markup: string | undefined): Refusal | { readonly reply_markup?: object } {
  if (markup === undefined) return {};
  const keyboard = JSON.parse(markup) as { inline_keyboard?: Button[][] };
  for (const button of (keyboard.inline_keyboard ?? []).flat()) {
    const fault = faultOf(button);
    if (fault !== null) return { code: 400, description: `Bad Request: ${fault}` };
  }
  return { reply_markup: keyboard };
}

function faultOf({ text, callback_data: data, url }: Button): string | null {
  if (typeof text !== 'string' || text.trim() === '')
    return 'can\'t parse inline keyboard button: Field "text" must be of type String';
  if (typeof url === 'string') {
    const isAddress = /^(https?|tg):\/\//.test(url) && URL.canParse(url);
    return isAddress ? null : `inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`;
  }
  if (typeof data !== 'string')
    return "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
  return data === '' || Buffer.byteLength(data) > 64 ? 'BUTTON_DATA_INVALID' : null;
}
