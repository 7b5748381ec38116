import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../settings/keywords.ts';
import { quietHoursSetting } from '../settings/quiet-hours.ts';
import { unknownOutcomeSetting } from '../settings/unknown-outcome.ts';

/** The settings of a `telegram-bot` account. */
export const settings = Type.Object(
  {
    botToken: Type.String({
      title: 'Bot token',
      description: 'The token that @BotFather gave you, such as 123456789:ABC….',
      pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,200}$',
      secret: true,
    }),
    updates: Type.Optional(
      Type.Enum(['receive', 'ignore'], {
        title: 'Messages to the bot',
        description:
          '`receive`: you get what people write to the bot. `ignore`: another program reads what people write, and this account only sends.',
        labels: { receive: 'Receive', ignore: 'Ignore' },
        default: 'receive',
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Integer({
        title: 'Messages per second',
        description: 'Use more than 30 only if Telegram allows it for this bot (paid broadcasts).',
        minimum: 1,
        maximum: 1_000,
        default: 30,
      }),
    ),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  { additionalProperties: false },
);

export type TelegramSettings = Static<typeof settings>;

/** Whether the account receives what people write to the bot. */
export function receives({ updates }: TelegramSettings): boolean {
  return updates !== 'ignore';
}
