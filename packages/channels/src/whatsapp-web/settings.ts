import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../keywords.ts';
import { quietHoursSetting } from '../quiet-hours.ts';

const seconds = { minimum: 0, maximum: 3_600 };

/** The settings of a `whatsapp-web` account: how carefully it sends, what it receives, and its words about consent. None of them is a credential. */
export const settings = Type.Object(
  {
    minIntervalSeconds: Type.Optional(
      Type.Number({
        title: 'Minimum delay between messages, in seconds',
        description: 'Each delay is chosen at random between the minimum and the maximum.',
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
          'First messages to new numbers in any 24 hours; further ones wait. Too many new contacts get accounts banned.',
        minimum: 0,
        maximum: 1_000,
        default: 20,
      }),
    ),
    warmUpDays: Type.Optional(
      Type.Integer({
        title: 'Warm-up days',
        description:
          'After linking, the limit of new contacts per day grows to its full value over this many days.',
        minimum: 0,
        maximum: 60,
        default: 10,
      }),
    ),
    inbound: Type.Optional(
      Type.Enum(['people', 'all', 'none'], {
        title: 'Messages to the phone',
        description:
          'people: what persons write to the phone arrives here, but not what is written in its groups. all: groups, too. none: nothing is received.',
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
