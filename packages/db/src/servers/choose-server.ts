import type { DatabaseServer, SessionAttrs } from '@notify/core';

/** What a server says about itself. */
export interface ServerState {
  readonly isStandby: boolean;
  /** Transactions are read-only: on every standby, and where the operator has set it. */
  readonly isReadOnly: boolean;
  /** Each promotion begins a new timeline (PostgreSQL, "Timelines"). Null on a standby, or if the server does not tell. */
  readonly timeline: number | null;
}

/** What came of asking one server: its state, or why there is none. */
export interface Answer {
  readonly server: DatabaseServer;
  readonly state: ServerState | null;
  readonly failure?: string;
}

/** Whether connections that want `attrs` may go to a server (libpq, `target_session_attrs`). */
export function fits({ isStandby, isReadOnly }: Omit<ServerState, 'timeline'>, attrs: SessionAttrs): boolean {
  switch (attrs) {
    case 'read-write':
      return !isReadOnly;
    case 'read-only':
      return isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
      return isStandby;
    case 'any':
    case 'prefer-standby':
      return true;
  }
}

/** Whether there should be one such server at any time. */
export function isOfOne(attrs: SessionAttrs): boolean {
  return attrs === 'read-write' || attrs === 'primary';
}

/**
 * The server that connections go to, of answers in the order of preference. Null if none fits.
 *
 * Two servers that both take writes are a split brain. The one on the newest timeline was promoted last, so it is the
 * right one. A server on an older timeline than `newestTimeline`, the newest ever seen, is never chosen: it is a former
 * primary that nobody has fenced, and what is written there will be lost.
 */
export function chooseServer(
  answers: readonly Answer[],
  attrs: SessionAttrs,
  newestTimeline: number,
): { readonly server: DatabaseServer; readonly state: ServerState } | null {
  const fitting = answers.flatMap(({ server, state }) =>
    state !== null && fits(state, attrs) && !isStale(state, attrs, newestTimeline) ? [{ server, state }] : [],
  );
  if (attrs === 'prefer-standby') return fitting.find(({ state }) => state.isStandby) ?? fitting[0] ?? null;
  if (!isOfOne(attrs)) return fitting[0] ?? null;
  // The sort is stable, so servers on the same timeline keep their order.
  return fitting.sort((a, b) => (b.state.timeline ?? 0) - (a.state.timeline ?? 0))[0] ?? null;
}

/** Whether the server would take writes although a newer primary has been seen. */
export function isStale(state: ServerState, attrs: SessionAttrs, newestTimeline: number): boolean {
  return isOfOne(attrs) && fits(state, attrs) && (state.timeline ?? newestTimeline) < newestTimeline;
}

/** Why a server was not chosen, in words for operators. */
export function whyNot(answer: Answer, attrs: SessionAttrs, newestTimeline: number): string {
  const { server, state, failure = 'no answer yet' } = answer;
  if (state === null) return `${server.name}: ${failure}`;
  if (isStale(state, attrs, newestTimeline))
    return `${server.name} is a former primary (timeline ${state.timeline} after ${newestTimeline})`;
  return `${server.name} is ${kindOf(state)}`;
}

/** What a server is, in words for operators. */
export function kindOf({ isStandby, isReadOnly }: Omit<ServerState, 'timeline'>): string {
  if (isStandby) return 'a standby';
  return isReadOnly ? 'read-only' : 'a primary';
}
