import type { UnknownPolicy } from '@notify/core';
import Type from 'typebox';

/** Spread into the settings of every provider whose requests can end with an outcome nobody knows. */
export const unknownOutcomeSetting = {
  onUnknownOutcome: Type.Optional(
    Type.Enum(['at-least-once', 'at-most-once'], {
      title: 'When nobody knows whether a message was sent',
      description:
        'at-least-once sends it once more (it may arrive twice); at-most-once gives it up (it may not arrive).',
      default: 'at-least-once',
    }),
  ),
};

/** What the owner of an account wants after an unknown outcome; `at-least-once` unless its settings say otherwise. */
export function unknownPolicy(settings: unknown): UnknownPolicy {
  const chosen = (settings as { onUnknownOutcome?: unknown } | null)?.onUnknownOutcome;
  return chosen === 'at-most-once' ? 'at-most-once' : 'at-least-once';
}
