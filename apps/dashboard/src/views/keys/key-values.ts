import type { CreateApiKey } from '@notify/sdk';
import {
  limitFaults,
  limitInputs,
  limitsOf,
  type LimitValues,
  noLimits,
} from '../../parts/credential/credential-limits.ts';
import type { KeyScope } from './key-scopes.ts';

/** What the form of a new key holds. */
export interface KeyValues extends LimitValues, Record<string, unknown> {
  name: string;
  scopes: KeyScope[];
  accounts: 'all' | 'some';
  /** Used for `some`. */
  channelAccountIds: string[];
  /** Empty for the limit of the plan. */
  rateLimitOverride: number | string;
}

/** The form at its beginning: a key that sends and retrieves, as the api makes one without any choice. */
export const newKey: Readonly<KeyValues> = {
  name: '',
  scopes: ['send', 'read'],
  accounts: 'all',
  channelAccountIds: [],
  rateLimitOverride: '',
  ...noLimits,
};

/** What is wrong before the api sees it, by the name of the input and in the order of the form. */
export function keyFaults(values: KeyValues): Record<string, string> {
  const { name, scopes, accounts, channelAccountIds } = values;
  return {
    ...(name.trim() === '' ? { name: 'Required' } : {}),
    ...(scopes.length === 0 ? { scopes: 'Choose at least one.' } : {}),
    ...(accounts === 'some' && channelAccountIds.length === 0
      ? { channelAccountIds: 'Choose at least one account.' }
      : {}),
    ...limitFaults(values),
  };
}

/** The body of the request. `now` is in ms since 1970. */
export function keyBody(values: KeyValues, now: number): CreateApiKey {
  const { name, scopes, accounts, channelAccountIds, rateLimitOverride: limit } = values;
  return {
    name,
    scopes,
    ...(accounts === 'some' ? { channelAccountIds } : {}),
    ...(typeof limit === 'number' ? { rateLimitOverride: limit } : {}),
    ...limitsOf(values, now),
  };
}

/** The names of the inputs that show their own errors. */
export const keyInputs: readonly string[] = [
  'name',
  'scopes',
  'channelAccountIds',
  'rateLimitOverride',
  ...limitInputs,
];
