import type { CreateServiceToken } from '@notify/sdk';
import {
  limitFaults,
  limitInputs,
  limitsOf,
  type LimitValues,
  noLimits,
} from '../../parts/credential/credential-limits.ts';
import type { TokenScope } from './token-areas.ts';

/** What the form of a new token holds. */
export interface TokenValues extends LimitValues, Record<string, unknown> {
  name: string;
  scopes: TokenScope[];
}

/** The form at its beginning. A token has no usual scopes. */
export const newToken: Readonly<TokenValues> = { name: '', scopes: [], ...noLimits };

/** What is wrong before the api sees it, by the name of the input and in the order of the form. */
export function tokenFaults(values: TokenValues): Record<string, string> {
  return {
    ...(values.name.trim() === '' ? { name: 'Required' } : {}),
    ...(values.scopes.length === 0 ? { scopes: 'Choose at least one.' } : {}),
    ...limitFaults(values),
  };
}

/** The body of the request. `now` is in ms since 1970. */
export function tokenBody(values: TokenValues, now: number): CreateServiceToken {
  const { name, scopes } = values;
  return { name, scopes, ...limitsOf(values, now) };
}

/** The names of the inputs that show their own errors. */
export const tokenInputs: readonly string[] = ['name', 'scopes', ...limitInputs];
