import type { ReactNode } from 'react';
import { Time } from '../../parts/time.tsx';

/** So near, in ms, that it is under way before anybody has read when. */
const nearMs = 15_000;

/** When something is tried next. */
export function NextAttempt({ at }: { readonly at: string }): ReactNode {
  return Date.parse(at) - Date.now() < nearMs ? <span>in a moment</span> : <Time at={at} since />;
}
