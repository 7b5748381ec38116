import type { Course } from './faults.ts';

/** For CI. A stream that carries an event every 150 ms is lost after 4 s of silence. */
export const shortCourse: Course = {
  durationMs: 60_000,
  everyMs: 150,
  calmMs: 1_500,
  lostAfterMs: 4_000,
  apiFrozenMs: 3_000,
  cliStoppedMs: 5_000,
  hookAwayMs: 3_000,
  networkFrozenMs: 6_000,
  failing: 0.02,
};

/** The proof: everything as integrators have it, with the default times. */
export const longCourse: Course = {
  durationMs: 20 * 60_000,
  everyMs: 300,
  calmMs: 6_000,
  lostAfterMs: 90_000,
  apiFrozenMs: 20_000,
  cliStoppedMs: 60_000,
  hookAwayMs: 30_000,
  networkFrozenMs: 40_000,
  failing: 0.02,
};
