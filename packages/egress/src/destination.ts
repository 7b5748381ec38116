import type { Guard } from './guard.ts';

/** Where a request goes, in the parts that undici asks for. */
export interface Destination {
  readonly origin: string;
  readonly path: string;
}

/** Where a URL leads; where it may not be asked, the reason in words. */
export type Judge = (url: string) => Destination | string;

const maxRemembered = 1_000;
/** In characters. */
const longestRemembered = 500;

/**
 * Reads and judges URLs, and remembers what came of the latest, since the same few are asked for every message. The rules
 * never change; addresses are judged at every connect. With a query a URL may be another for every message.
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
