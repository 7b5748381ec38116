import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../settings/keywords.ts';
import { quietHoursSetting } from '../settings/quiet-hours.ts';

const seconds = { minimum: 0, maximum: 3_600 };

/** The settings of a `whatsapp-web` account: how carefully it sends, what it receives, and its opt-out and opt-in words. None of them is a credential. */
export const settings = Type.Object(
  {
    minIntervalSeconds: Type.Optional(
      Type.Number({
        title: 'Minimum delay between messages, in seconds',
        description: 'Between two messages Notify waits for a random time from the minimum to the maximum.',
        ...seconds,
        default: 3,
      }),
    ),
    maxIntervalSeconds: Type.Optional(
      Type.Number({ title: 'Maximum delay between messages, in seconds', ...seconds, default: 6 }),
    ),
    newContactsPerDay: Type.Optional(
      Type.Integer({
        title: 'New contacts per day',
        description:
          'How many people this phone may write to for the first time in 24 hours. Messages to further new people wait. WhatsApp bans numbers that write to too many strangers.',
        minimum: 0,
        maximum: 1_000,
        default: 20,
      }),
    ),
    warmUpDays: Type.Optional(
      Type.Integer({
        title: 'Warm-up days',
        description:
          'How many days it takes after linking until the limit of new contacts per day reaches its full value. It grows a little each day.',
        minimum: 0,
        maximum: 60,
        default: 10,
      }),
    ),
    inbound: Type.Optional(
      Type.Enum(['people', 'all', 'none'], {
        title: 'Messages to the phone',
        description:
          '`people`: you get what people write to this phone, but nothing from groups. `all`: you get messages from groups, too. `none`: you get nothing.',
        labels: { people: 'From people', all: 'From people and groups', none: 'None' },
        default: 'people',
      }),
    ),
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  { additionalProperties: false },
);

export type WhatsappWebSettings = Static<typeof settings>;

/** Whether the account receives a message from this address, a person or a group (`…@g.us`). */
export function receivesFrom(address: string, { inbound = 'people' }: WhatsappWebSettings): boolean {
  return inbound === 'all' || (inbound === 'people' && !isGroupAddress(address));
}

/** Whether an address of WhatsApp is that of a group. */
export function isGroupAddress(address: string): boolean {
  return address.endsWith('@g.us');
}

/** The complete sending limits of an account. Times in ms. */
export interface Care {
  readonly minIntervalMs: number;
  readonly maxIntervalMs: number;
  readonly newContactsPerDay: number;
  readonly warmUpDays: number;
}

/** The settings with their defaults filled in. */
export function careOf(chosen: WhatsappWebSettings): Care {
  const minIntervalMs = (chosen.minIntervalSeconds ?? 3) * 1_000;
  const longest = chosen.maxIntervalSeconds ?? Math.max(6, chosen.minIntervalSeconds ?? 0);
  return {
    minIntervalMs,
    maxIntervalMs: longest * 1_000,
    newContactsPerDay: chosen.newContactsPerDay ?? 20,
    warmUpDays: chosen.warmUpDays ?? 10,
  };
}
