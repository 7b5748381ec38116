import type { Guard } from './guard.ts';

/** The destination of a request, in the parts that undici takes. */
export interface Destination {
  readonly origin: string;
  readonly path: string;
}

/** The destination of a URL. If it is not allowed, the reason in words. */
export type Judge = (url: string) => Destination | string;

const maxRemembered = 1_000;
/** The longest URL that is cached, in characters. */
const longestRemembered = 500;

/**
 * Reads and judges URLs and caches the latest verdicts, because every message asks for the same few. A verdict never
 * changes, because the rules stay the same and addresses are judged at every connect. URLs with a query are not cached,
 * because each message may have another.
 */
export function rememberingJudge(guard: Guard, httpsOnly: boolean): Judge {
  const known = new Map<string, Destination | string>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const judged = judge(text, guard, httpsOnly);
    if (text.length > longestRemembered || text.includes('?')) return judged;
    if (known.size >= maxRemembered) known.delete(known.keys().next().value!);
    known.set(text, judged);
    return judged;
  };
}

function judge(text: string, guard: Guard, httpsOnly: boolean): Destination | string {
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  return guard.judgeUrl(url, httpsOnly) ?? { origin: url.origin, path: url.pathname + url.search };
}
