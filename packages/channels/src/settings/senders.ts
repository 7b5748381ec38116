import { type ChosenSender, type Outcome, type PrefixSender } from '@notify/core';
import Type, { type TObject, type TOptional, type TArray, type TString } from 'typebox';

/** The most prefixes of an account: more than there are countries. */
const maxSenders = 300;

type Senders = TOptional<TArray<TObject<{ prefix: TString; from: TString }>>>;

/** Part of the settings of every SMS provider: senders by prefix. Each must be what `from` of the provider may be. */
export function sendersSetting(from: Readonly<Record<string, unknown>>): { senders: Senders } {
  const { title: _, description: __, ...rules } = from;
  return {
    senders: Type.Optional(
      Type.Array(
        Type.Object(
          {
            prefix: Type.String({
              title: 'Prefix',
              maxLength: 16,
              pattern: '^\\+[1-9]\\d{0,14}$',
              examples: ['+49'],
            }),
            from: Type.String({ ...('pattern' in rules ? {} : { minLength: 1 }), ...rules, title: 'Sender' }),
          },
          { additionalProperties: false },
        ),
        {
          title: 'Senders by country',
          description:
            'Numbers that begin with a prefix, such as +49 or +1415, get messages from its sender. The longest prefix applies. All other numbers get them from the default sender.',
          maxItems: maxSenders,
          examples: [[{ prefix: '+1', from: '+14155550123' }]],
        },
      ),
    ),
  };
}

/** Prefixes that stand in the list before. */
export function senderFaults(settings: unknown): { readonly at: string; readonly message: string }[] {
  const { senders = [] } = (settings ?? {}) as { readonly senders?: readonly PrefixSender[] };
  const firsts = new Map<string, number>();
  return senders.flatMap(({ prefix }, index) => {
    const first = firsts.get(prefix);
    if (first === undefined) firsts.set(prefix, index);
    return first === undefined
      ? []
      : [{ at: `/senders/${index}/prefix`, message: `is the same as in entry ${first + 1} of the list` }];
  });
}

/** The outcome, with the sender of the message and why it was chosen. Unchanged for an account without `senders`. */
export function withSender(
  outcome: Outcome,
  { senders = [] }: { readonly senders?: readonly PrefixSender[] },
  { from, prefix }: ChosenSender<string | undefined>,
): Outcome {
  if (senders.length === 0) return outcome;
  const why = prefix === null ? 'because no prefix fits' : `by the prefix ${prefix}`;
  const told = isNone(from)
    ? `without a sender, ${why}`
    : `from ${from}, ${prefix === null ? 'the default, ' : ''}${why}`;
  switch (outcome.kind) {
    case 'accepted':
      return { ...outcome, note: `Sent ${told}.` };
    case 'rejected':
    case 'connection-broken':
      return { ...outcome, text: `${outcome.text} (sent ${told})` };
    case 'throttled':
    case 'retry':
    case 'unknown':
      return outcome;
  }
}

function isNone(from: string | undefined): boolean {
  return from === undefined || from === '';
}
