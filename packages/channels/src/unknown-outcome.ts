import type { UnknownPolicy } from '@notify/core';
import Type from 'typebox';

/** Part of the settings of every provider whose requests can end with an unknown outcome. */
export const unknownOutcomeSetting = {
  onUnknownOutcome: Type.Optional(
    Type.Enum(['at-least-once', 'at-most-once'], {
      title: 'If the outcome of a send is unknown',
      description:
        'at-least-once sends the message again, so it may arrive twice. at-most-once fails it, so it may not arrive.',
      default: 'at-least-once',
    }),
  ),
};

/** The account's choice after an unknown outcome; `at-least-once` unless its settings say otherwise. */
export function unknownPolicy(settings: unknown): UnknownPolicy {
  const chosen = (settings as { onUnknownOutcome?: unknown } | null)?.onUnknownOutcome;
  return chosen === 'at-most-once' ? 'at-most-once' : 'at-least-once';
}
