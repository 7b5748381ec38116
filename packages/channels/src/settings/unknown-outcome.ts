import type { UnknownPolicy } from '@notify/core';
import Type from 'typebox';

/** Part of the settings of every provider whose requests can end with an unknown outcome. */
export const unknownOutcomeSetting = {
  onUnknownOutcome: Type.Optional(
    Type.Enum(['at-least-once', 'at-most-once'], {
      title: 'If it is unknown whether the provider took a message',
      description:
        'This happens when the provider does not respond. `at-least-once` sends the message again: it may arrive twice. `at-most-once` lets the message fail: it may have arrived or not.',
      labels: {
        'at-least-once': 'Send it again (at-least-once)',
        'at-most-once': 'Let it fail (at-most-once)',
      },
      default: 'at-least-once',
    }),
  ),
};

/** The account's choice after an unknown outcome; `at-least-once` unless its settings say otherwise. */
export function unknownPolicy(settings: unknown): UnknownPolicy {
  const chosen = (settings as { onUnknownOutcome?: unknown } | null)?.onUnknownOutcome;
  return chosen === 'at-most-once' ? 'at-most-once' : 'at-least-once';
}
