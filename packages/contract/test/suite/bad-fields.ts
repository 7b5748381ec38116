import { emoji, inheritedNames } from './values.ts';

/** One bad request: what is wrong, the fields that replace good ones (undefined removes), and the field to be named. */
export type BadField = readonly [what: string, change: Readonly<Record<string, unknown>>, at: string];

/** What no required string field takes. */
export function badRequired(field: string): readonly BadField[] {
  return [
    [`no ${field}`, { [field]: undefined }, field],
    [`a ${field} of null`, { [field]: null }, field],
    ...badString(field),
  ];
}

/** What no string field takes, required or not. */
export function badString(field: string): readonly BadField[] {
  return [
    [`a ${field} that is a number`, { [field]: 491_701_234_567 }, field],
    [`a ${field} that is a boolean`, { [field]: false }, field],
    [`a ${field} that is an array`, { [field]: ['+491701234567'] }, field],
    [`a ${field} that is an object`, { [field]: { toString: 'x' } }, field],
    [`a ${field} with NUL`, { [field]: '+4917012\x0034567' }, field],
    [`a ${field} with a lone high surrogate`, { [field]: 'a\ud83d' }, field],
    [`a ${field} with a lone low surrogate`, { [field]: '\ude00a' }, field],
  ];
}

/** What a string field of at most `max` code points does not take for its length. */
export function tooLong(field: string, max: number): readonly BadField[] {
  return [
    [`a ${field} of ${max + 1} characters`, { [field]: 'x'.repeat(max + 1) }, field],
    [`a ${field} of ${max + 1} emoji`, { [field]: emoji.repeat(max + 1) }, field],
  ];
}

/** What every send refuses of the fields that all sends share. */
export const badSharedFields: readonly BadField[] = [
  ...badRequired('to'),
  ...tooLong('to', 256),
  ...badString('channelAccountId'),
  ['a channelAccountId that is no UUID', { channelAccountId: 'default' }, 'channelAccountId'],
  ['an empty channelAccountId', { channelAccountId: '' }, 'channelAccountId'],
  ...badString('idempotencyKey'),
  ...tooLong('idempotencyKey', 100),
  ['an empty idempotencyKey', { idempotencyKey: '' }, 'idempotencyKey'],
  ['an expiresInSeconds of 29', { expiresInSeconds: 29 }, 'expiresInSeconds'],
  ['an expiresInSeconds of 604801', { expiresInSeconds: 604_801 }, 'expiresInSeconds'],
  ['a broken expiresInSeconds', { expiresInSeconds: 60.5 }, 'expiresInSeconds'],
  ['an expiresInSeconds that is a string', { expiresInSeconds: '60' }, 'expiresInSeconds'],
  ['an expiresInSeconds that is a boolean', { expiresInSeconds: true }, 'expiresInSeconds'],
  ['an expiresInSeconds beyond integers', { expiresInSeconds: 1e300 }, 'expiresInSeconds'],
  ['a sendAt that is a number of seconds', { sendAt: 1_893_456_000 }, 'sendAt'],
  ['an empty sendAt', { sendAt: '' }, 'sendAt'],
  ['a sendAt without a time zone', { sendAt: '2099-01-31T09:30:00' }, 'sendAt'],
  ['a sendAt without a time', { sendAt: '2099-01-31' }, 'sendAt'],
  ['a sendAt on a day that does not exist', { sendAt: '2099-02-30T09:30:00Z' }, 'sendAt'],
  ['a sendAt with an offset that does not exist', { sendAt: '2099-01-31T09:30:00+25:00' }, 'sendAt'],
  ['a sendAt in words', { sendAt: 'tomorrow' }, 'sendAt'],
  ['a mistyped idempotencyKey', { idempotencykey: 'x' }, 'idempotencykey'],
  ['an unknown field of null', { nothing: null }, 'nothing'],
  ...inheritedNames.map((name): BadField => [`a field named ${name}`, { [name]: 'x' }, name]),
];

/** A request with the change applied; a field named `__proto__` becomes one of its own. */
export function changed(good: object, change: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries([...Object.entries(good), ...Object.entries(change)]);
}
