import { useEffect, useRef, useState } from 'react';
import { requestFor } from '../../../api/client.ts';
import { ApiProblem, failureOf } from '../../../api/failure.ts';
import { useSession } from '../../../session/session-context.ts';

/** The file of an inbound message, which is read on request. */
export type FileState =
  | { readonly kind: 'unread' }
  | { readonly kind: 'reading' }
  /** `url` leads to the copy in the browser's memory. */
  | { readonly kind: 'read'; readonly url: string; readonly type: string }
  /** The provider no longer has it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly detail: string };

/** Reads the file of a message, once. Resolves to its state afterwards. It is forgotten with the component. */
export function useFile(messageId: string): readonly [FileState, () => Promise<FileState>] {
  const session = useSession();
  const [state, setState] = useState<FileState>({ kind: 'unread' });
  const left = useRef<AbortController | null>(null);
  const kept = useRef<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => {
      controller.abort();
      if (kept.current !== null) URL.revokeObjectURL(kept.current);
      kept.current = null;
    };
  }, []);

  async function fetchFile(): Promise<FileState> {
    const request = requestFor(
      'get /v1/messages/{id}/media',
      { path: { id: messageId } },
      left.current?.signal,
    );
    const answer = await session.send(request);
    if (!answer.ok) throw await failureOf(answer);
    const blob = await answer.blob();
    kept.current = URL.createObjectURL(blob);
    return { kind: 'read', url: kept.current, type: blob.type };
  }

  async function read(): Promise<FileState> {
    if (state.kind === 'read') return state;
    setState({ kind: 'reading' });
    const next = await fetchFile().catch(stateAfter);
    if (left.current?.signal.aborted !== true) setState(next);
    return next;
  }

  return [state, read];
}

function stateAfter(failure: unknown): FileState {
  if (failure instanceof ApiProblem && failure.status === 410) return { kind: 'gone' };
  // A stream that breaks off rejects with the browser's own words.
  const isOurs = failure instanceof ApiProblem;
  return { kind: 'failed', detail: isOurs ? failure.message : 'The file could not be read completely.' };
}
