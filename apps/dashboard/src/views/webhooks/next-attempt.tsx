import type { ReactNode } from 'react';
import { Time } from '../../parts/time.tsx';

/** The time of the next attempt. */
export function NextAttempt({ at }: { readonly at: string }): ReactNode {
  const leftMs = Date.parse(at) - Date.now();
  if (leftMs < 15_000) return 'in a moment';
  return leftMs < 60_000 ? 'within a minute' : <Time at={at} since />;
}
