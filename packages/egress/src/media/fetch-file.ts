import type { Dispatcher } from 'undici';
import type { GuardedAgent } from '../connections/guarded-agent.ts';
import { EgressError } from '../errors.ts';
import { openAnswer, type StreamedAnswer } from '../exchange/answer-stream.ts';
import { headerOf } from './file-answer.ts';
import { MediaError } from './media-error.ts';

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Gets `url`, follows at most three redirects, and resolves with the first answer that is no redirect. Every hop is
 * judged like the first. After https, http is refused unless the rules allow it for that address. Rejects with an
 * `EgressError` or a `MediaError`.
 */
export async function fetchFile(
  url: string,
  { agent, guard }: GuardedAgent,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  if (!URL.canParse(url)) throw new EgressError('blocked', 'not a URL');
  let at = new URL(url);
  let httpsOnly = false;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const refusal = guard.judgeUrl(at, httpsOnly);
    if (refusal !== null) throw new EgressError('blocked', refusal);
    const answer = await openAnswer(agent, getOptions(at, headers), signal);
    if (!redirects.has(answer.status)) return answer;
    answer.body.destroy();
    httpsOnly = at.protocol === 'https:';
    at = nextOf(answer, at);
  }
  throw new MediaError('redirects', `the URL redirects more than ${maxRedirects} times`);
}

function getOptions(url: URL, headers: Readonly<Record<string, string>>): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: url.pathname + url.search, method: 'GET', headers, body: null };
}

function nextOf(answer: StreamedAnswer, from: URL): URL {
  const location = headerOf(answer, 'location') ?? '';
  if (location === '' || !URL.canParse(location, from.href))
    throw new MediaError('redirects', 'the URL redirects to nowhere', { status: answer.status });
  return new URL(location, from.href);
}
