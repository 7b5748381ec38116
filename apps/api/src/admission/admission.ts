import type { ServerResponse } from 'node:http';
import type { Log } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { Problem } from '../problems/problem.ts';
import { createAdaptiveLimit } from './adaptive-limit.ts';
import { createBodyBudget } from './body-budget.ts';
import { createEpisode } from './episode.ts';
import { createHeldAnswers } from './held-answers.ts';
import { createGate, type Gate, type Refusal, type Share } from './gate.ts';
import { type WorkClass, workClasses } from './work-class.ts';

/** The place of a request among those in progress. */
export interface Place {
  /** Gives the place back, once: the work is done, or the answer is a stream. */
  leave(): void;
  /**
   * Gives the place back while the request only waits for its client, and takes one again afterwards. Throws
   * `unavailable` if there is none.
   */
  away<T>(wait: () => Promise<T>): Promise<T>;
  /** Whether so many more bytes of a large body may be held until the request has ended. */
  hold(bytes: number): boolean;
}

/** Decides which requests are worked on, and which are refused before they cost anything. */
export interface Admission {
  /** The problem of a request that is refused at once. Null if there is a place, or room to wait for one. */
  judge(work: WorkClass, share: Share): Problem | null;
  /** Answers a request that is refused before it began: a little later while the api has too much to do, otherwise at once. */
  refuse(answer: () => void): void;
  /** Runs the work when it has a place. Throws `unavailable` if there is none in time. */
  run(work: WorkClass, share: Share, response: ServerResponse, handle: Handle): Promise<void>;
}

/** The work of a request in its place. */
export type Handle = (place: Place) => Promise<void>;

/**
 * The goal, in ms: from its place in the api to the end of its answer, a send may take so long. With the wait for a place
 * and for the event loop, accepted sends stay below a second.
 */
const goalMs = 120;
/** Of sends in progress. A commit takes up to 500, and two are made at once. */
const sends = { least: 64, first: 256, most: 1_024 };

/**
 * The places of each class, as a function of the limit of sends. So a class that is less important gets less when sends
 * take long. Sign-ins wait in the queue of passwords, and need places for that. Lists use the few connections of
 * the dashboard.
 */
const places: Readonly<Record<WorkClass, (sends: number) => number>> = {
  send: (limit) => limit,
  callback: (limit) => limit,
  'look-up': (limit) => Math.ceil(limit / 4),
  change: (limit) => Math.ceil(limit / 4),
  list: (limit) => Math.max(8, Math.ceil(limit / 16)),
  'sign-in': () => 256,
};

/**
 * The longest wait for a place, in ms. A send is answered within a second or refused. Everything else may take longer: people
 * wait for lists, and some providers never repeat a callback.
 */
const waitsMs = { sends: 400, others: 3_000 };

/** Makes the admission of one process. */
export function createAdmission(log: Log): Admission {
  const limit = createAdaptiveLimit({ ...sends, goalMs });
  const episode = createEpisode(log);
  const bodies = createBodyBudget();
  const held = createHeldAnswers();
  const gates = Object.fromEntries(workClasses.map((work) => [work, gateOf(work)] as const)) as Readonly<
    Record<WorkClass, Gate>
  >;

  function gateOf(work: WorkClass): Gate {
    const isSend = work === 'send';
    const gate = createGate(() => places[work](limit.value), {
      waitMs: isSend ? waitsMs.sends : waitsMs.others,
      onWait: () => {
        if (isSend) limit.wanted();
      },
    });
    metrics.admission.limit.read({ class: work }, () => places[work](limit.value));
    metrics.admission.running.read({ class: work }, () => gate.running);
    metrics.admission.waiting.read({ class: work }, () => gate.waiting);
    return gate;
  }

  function refusalOf(work: WorkClass, reason: Refusal | 'bodies'): Problem {
    metrics.admission.refused.labels(work, reason).inc();
    if (reason !== 'gone') episode.refused(work);
    return tooMuch();
  }

  async function waited(work: WorkClass, share: Share, response: ServerResponse): Promise<void> {
    const refusal = await gates[work].wait(share, goneSignal(response));
    if (refusal !== null) throw refusalOf(work, refusal);
  }

  /** A place, and what the request holds until its end. */
  function placeOf(
    work: WorkClass,
    share: Share,
    response: ServerResponse,
  ): Place & { readonly end: () => void } {
    const gate = gates[work];
    let isInside = true;
    let beganAt = performance.now();
    let heldBytes = 0;
    function leave(): void {
      if (!isInside) return;
      isInside = false;
      gate.leave(share);
    }
    return {
      leave() {
        if (isInside && work === 'send') limit.ended(performance.now() - beganAt);
        leave();
      },
      async away(wait) {
        leave();
        const result = await wait();
        if (!gate.tryEnter(share)) await waited(work, share, response);
        isInside = true;
        beganAt = performance.now();
        return result;
      },
      hold(bytes) {
        const isTaken = bodies.take(share.party, bytes);
        if (isTaken) heldBytes += bytes;
        else refusalOf(work, 'bodies');
        return isTaken;
      },
      end() {
        this.leave();
        bodies.give(share.party, heldBytes);
      },
    };
  }

  async function inPlace(
    work: WorkClass,
    share: Share,
    response: ServerResponse,
    handle: Handle,
  ): Promise<void> {
    const place = placeOf(work, share, response);
    try {
      await handle(place);
    } finally {
      place.end();
    }
  }

  return {
    judge(work, share) {
      return gates[work].refuses(share) ? refusalOf(work, 'full') : null;
    },
    refuse(answer) {
      if (episode.isOn) held.hold(answer);
      else answer();
    },
    async run(work, share, response, handle) {
      if (!gates[work].tryEnter(share)) await waited(work, share, response);
      await inPlace(work, share, response, handle);
    },
  };
}

/** A place for work that needs none. */
export const freePlace: Place = {
  leave: () => undefined,
  away: (wait) => wait(),
  hold: () => true,
};

/** Made once: an abort without a reason makes an error, and every response closes. */
const hungUp = new Error('The client has hung up');

function goneSignal(response: ServerResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort(hungUp);
  const gone = new AbortController();
  response.once('close', () => gone.abort(hungUp));
  return gone.signal;
}

/** The longest time after which a refused client is asked to come back, in s. Different ones, so that not all come together. */
const longestRetrySeconds = 3;

/** The refusal of work that had its place and came too late to do anything. */
export function refuseLate(): Problem {
  metrics.admission.refused.labels('send', 'late').inc();
  return tooMuch();
}

/** Made once: a problem records its stack, which costs more than everything else about a refusal. */
const refusals = Array.from(
  { length: longestRetrySeconds },
  (_, index) =>
    new Problem('unavailable', {
      detail: 'Too much is asked of the service at the moment. Nothing was done.',
      retryAfterSeconds: index + 1,
    }),
);

/** The problem of a request that finds no room. */
export function tooMuch(): Problem {
  return refusals[Math.floor(Math.random() * refusals.length)]!;
}
