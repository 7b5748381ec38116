import type { Log } from '@notify/runtime';
import type { WorkClass } from './work-class.ts';

/** A time in which requests are refused because there is too much to do. It has two log lines, not one for each request. */
export interface Episode {
  /** Whether something was refused in the last seconds. */
  readonly isOn: boolean;
  /** A request was refused. */
  refused(work: WorkClass): void;
}

/** An episode has ended when nothing was refused for this long, in ms. */
const quietMs = 5_000;

/** Tells the log when refusing begins and when it has ended. */
export function createEpisode(log: Log): Episode {
  let beganAt = 0;
  let count = 0;
  let ending: NodeJS.Timeout | null = null;

  function end(): void {
    ending = null;
    log.tell('refusing-ended', { durationMs: Math.round(performance.now() - beganAt - quietMs), count });
    count = 0;
  }

  return {
    get isOn() {
      return ending !== null;
    },
    refused(work) {
      count += 1;
      if (ending !== null) {
        ending.refresh();
        return;
      }
      beganAt = performance.now();
      ending = setTimeout(end, quietMs).unref();
      log.tell('refusing-begun', { kind: work });
    },
  };
}
