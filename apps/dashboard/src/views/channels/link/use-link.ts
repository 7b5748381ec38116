import type { AccountLink } from '@notify/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestFor } from '../../../api/client.ts';
import { ApiProblem, type Failure, failureOf, isPassing, LoggedOut } from '../../../api/failure.ts';
import { useSession } from '../../../session/session-context.ts';
import type { Session } from '../../../session/session.ts';
import { readEvents } from '../../../api/server-events.ts';
import { clockAheadMs } from './link-view.ts';

/** The link of an account, updated live. */
export interface LiveLink {
  /** Undefined until it has been read. */
  readonly link: AccountLink | undefined;
  /** How far the server's clock is ahead of this one. */
  readonly aheadMs: number;
  /** Why watching failed. */
  readonly failure: Failure | null;
}

/** The live link, and a function to watch again after a failure. */
export interface WatchedLink extends LiveLink {
  readonly retry: () => void;
}

const nothing: LiveLink = { link: undefined, aheadMs: 0, failure: null };
const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** Watches the link of an account while the component is mounted. Each change also reads the account again. */
export function useLink(id: string): WatchedLink {
  const session = useSession();
  const client = useQueryClient();
  const [live, setLive] = useState(nothing);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    const left = new AbortController();
    void watch(session, id, left.signal, (told) => {
      setLive(told);
      void client.invalidateQueries({ queryKey: ['get /v1/channel-accounts'] });
      void client.invalidateQueries({ queryKey: ['get /v1/channel-accounts/{id}'] });
    });
    return () => left.abort();
  }, [session, client, id, attempt]);
  const retry = (): void => {
    setLive(nothing);
    setAttempt(attempt + 1);
  };
  return { ...live, retry };
}

/**
 * Reads the stream, and opens it again whenever it ends or breaks, until the api refuses it or the component unmounts.
 */
async function watch(
  session: Session,
  id: string,
  signal: AbortSignal,
  tell: (live: LiveLink) => void,
): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      for await (const live of linksOf(session, id, signal)) {
        waitMs = firstWaitMs;
        tell(live);
      }
    } catch (error) {
      if (signal.aborted || error instanceof LoggedOut) return;
      if (error instanceof ApiProblem && !isPassing(error)) return tell({ ...nothing, failure: error });
    }
    await elapsed(waitMs, signal);
  }
}

async function* linksOf(session: Session, id: string, signal: AbortSignal): AsyncGenerator<LiveLink, void> {
  const request = requestFor('get /v1/channel-accounts/{id}/link/events', { path: { id } }, signal);
  const answer = await session.send(request);
  if (!answer.ok) throw await failureOf(answer);
  if (answer.body === null) return;
  const aheadMs = clockAheadMs(answer.headers.get('Date'), Date.now());
  for await (const { data } of readEvents(answer.body)) {
    if (data !== null) yield { link: JSON.parse(data) as AccountLink, aheadMs, failure: null };
  }
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
