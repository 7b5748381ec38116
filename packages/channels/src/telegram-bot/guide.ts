import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 20,
  summary: 'Your own bot: people write to it, and you answer. Free, and ready in a minute.',
  needs: 'a bot’s token, which @BotFather gives you in Telegram',
  before: [
    'In Telegram, send /newbot to @BotFather, then choose a name and a username.',
    'Copy the token from its reply.',
  ],
  caution:
    'Only one program can read what people write to a bot. If another program reads it, set “Messages to the bot” to “Ignore” before you connect. Then this account only sends.',
};
