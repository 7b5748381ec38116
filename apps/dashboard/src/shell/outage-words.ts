import { ApiProblem } from '../api/failure.ts';
import type { Wait } from '../api/waiting-reads.ts';
import { duration } from '../parts/time/time-text.ts';

/** What is known about an outage, and that it is waited for. */
export function outageInWords(wait: Wait): string {
  if (wait === 'unanswered') return 'Notify has not answered yet. Still waiting…';
  const asked = wait instanceof ApiProblem ? wait.retryAfterSeconds : null;
  const next =
    asked === null ? 'Retrying…' : `Notify asks to wait ${duration(asked * 1_000)}. Then this page retries.`;
  return `${wait instanceof ApiProblem ? problemInWords(wait) : wait.message} ${next}`;
}

function problemInWords({ status, message }: ApiProblem): string {
  const said = /[.!?]$/.test(message) ? message : `${message}.`;
  return status === 503 ? `Notify cannot answer now: ${said}` : said;
}
