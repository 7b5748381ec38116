import type { AccessToken } from '@notify/sdk';
import { type Call, createCall, isGivenUp } from '../api/client.ts';
import { type ApiProblem, failureOf, isCutOff, isPassing, LoggedOut, Unreachable } from '../api/failure.ts';
import { waitMs } from '../api/retry.ts';
import { type Access, accessOf, isFresh } from './access.ts';
import { openTabs, type TabMessage } from './tabs.ts';

/** The state of the session. `starting`: the refresh cookie is being tried. */
export type SessionState =
  | { readonly kind: 'starting' }
  /** `byChoice`: the tenant logged out. False if the session expired. */
  | { readonly kind: 'out'; readonly byChoice: boolean }
  | { readonly kind: 'in'; readonly tenantId: string };

/** A failure that may pass. */
export type Outage = ApiProblem | Unreachable;

/** The session that all tabs of a browser share. The access token is kept in memory and never shown. */
export interface Session {
  readonly state: SessionState;
  /** Why the service cannot be used: the last request got no answer, or it could not start the session. Else null. */
  readonly outage: Outage | null;
  /** Calls `listener` at every change of the two fields above. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Tries the refresh cookie until the service answers. */
  start(): Promise<void>;
  /** Resolves when the service answers; `outage` says until then why it does not. */
  readonly reached: () => Promise<void>;
  /** Starts the session with the answer to a login or registration. */
  enter(access: AccessToken): void;
  /** Logs out in every tab. Rejects with a `Failure` if the request did not reach the api. */
  leave(): Promise<void>;
  /** Ends the session in every tab after the api has ended it. */
  end(): void;
  /**
   * Works as `fetch` with the access token. If the api refuses the token, renews it and tries once more. Rejects with a
   * `Failure`. `through` takes the place of `fetch`.
   */
  send(request: Request, through?: Transport): Promise<Response>;
  /** A new access token for use outside the dashboard. Rejects with a `Failure`. */
  token(): Promise<string>;
  /** Calls an operation with the access token. */
  readonly call: Call;
  /** Calls an operation without a credential. */
  readonly callAsStranger: Call;
}

/** Makes a request as `fetch` does, and rejects as it does. */
export type Transport = (request: Request) => Promise<Response>;

/** The limit of a refresh, because other tabs wait for the tab that refreshes. */
const refreshWithinMs = 15_000;

/** Makes the session of this tab. It begins with `start`. */
export function createSession(): Session {
  let access: Access | null = null;
  let state: SessionState = { kind: 'starting' };
  let outage: Outage | null = null;
  const listeners = new Set<() => void>();
  const tabs = openTabs(hear);

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function hear(message: TabMessage): void {
    if (message.kind === 'access') take(message.access);
    else forget(true);
  }

  function take(given: AccessToken): Access {
    access = accessOf(given, Date.now());
    const isSame = state.kind === 'in' && state.tenantId === access.tenantId;
    if (!isSame) {
      state = { kind: 'in', tenantId: access.tenantId };
      tell();
    }
    return access;
  }

  function forget(byChoice: boolean): void {
    access = null;
    state = { kind: 'out', byChoice };
    tell();
  }

  /** Fetches, and notes whether there was an answer. One that tells of an outage does not end it. */
  async function fetched(request: Request, through: Transport = fetch): Promise<Response> {
    const answer = await through(request).catch((cause: unknown) => {
      if (isGivenUp(cause)) throw cause;
      const failure = new Unreachable(cause);
      note(failure);
      throw failure;
    });
    if (answer.status < 500 || isCutOff(outage)) note(null);
    return answer;
  }

  function note(found: Outage | null): void {
    if (outage === found) return;
    outage = found;
    tell();
  }

  /** Retries until it succeeds, with growing waits, and notes why it does not. */
  async function untilItWorks(task: () => Promise<unknown>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        await task();
        return note(null);
      } catch (failure) {
        if (isPassing(failure)) note(failure);
        await new Promise((resolve) => setTimeout(resolve, waitMs(failures - 1, failure)));
      }
    }
  }

  /**
   * Returns a token that differs from `stale`, which is no longer valid; null when the session is over. Only one
   * refresh runs at a time, over all tabs.
   */
  function renewed(stale: Access | null): Promise<Access | null> {
    return tabs.oneAtATime(async () => {
      if (access !== stale && isFresh(access, Date.now())) return access;
      const signal = AbortSignal.timeout(refreshWithinMs);
      const answer = await fetched(new Request('/auth/refresh', { method: 'POST', signal }));
      if (answer.status === 401 || answer.status === 403) {
        forget(false);
        return null;
      }
      if (!answer.ok) throw await failureOf(answer);
      const given = (await answer.json()) as AccessToken;
      tabs.tell({ kind: 'access', access: given });
      return take(given);
    });
  }

  async function send(request: Request, through?: Transport): Promise<Response> {
    const again = request.clone();
    const current = isFresh(access, Date.now()) ? access : await renewed(access);
    if (current === null) throw new LoggedOut();
    const answer = await fetched(withToken(request, current), through);
    if (!(await isUnauthenticated(answer))) return answer;
    const next = await renewed(current);
    if (next === null) throw new LoggedOut();
    return fetched(withToken(again, next), through);
  }

  function end(): void {
    tabs.tell({ kind: 'logged-out' });
    forget(true);
  }

  const call = createCall((request) => send(request));
  return {
    get state() {
      return state;
    },
    get outage() {
      return outage;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      await untilItWorks(async () => {
        if (state.kind === 'starting') await renewed(access);
      });
    },
    reached: () =>
      untilItWorks(async () => {
        const answer = await fetched(new Request('/favicon.svg', { method: 'HEAD', cache: 'no-store' }));
        if (!answer.ok) throw await failureOf(answer);
      }),
    enter(given) {
      tabs.tell({ kind: 'access', access: given });
      take(given);
    },
    async leave() {
      await call('post /auth/logout').catch((error: unknown) => {
        if (!(error instanceof LoggedOut)) throw error;
      });
      end();
    },
    end,
    async token() {
      const next = await renewed(access);
      if (next === null) throw new LoggedOut();
      return next.token;
    },
    send,
    call,
    callAsStranger: createCall((request) => fetched(request)),
  };
}

function withToken(request: Request, { token }: Access): Request {
  request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}

/** A wrong password is a 401 too, but does not mean that the token is invalid. */
async function isUnauthenticated(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return body?.code === 'unauthenticated';
}
