/** Answers that are held for a moment. */
export interface HeldAnswers {
  /** Answers a little later; at once if very many are held. */
  hold(answer: () => void): void;
}

/** How long an answer is held, in ms. Different times, so that not all clients ask again together. */
const [leastMs, mostMs] = [300, 500];
/** The most that are held at once. Each has a connection and its request in memory. */
const mostHeld = 5_000;

/**
 * Holds refusals. Most clients ask for the next thing when they have the answer to the last: an answer at once brings the
 * next request at once, and the api does little else than refuse.
 */
export function createHeldAnswers(): HeldAnswers {
  let held = 0;
  return {
    hold(answer) {
      if (held >= mostHeld) return answer();
      held += 1;
      setTimeout(
        () => {
          held -= 1;
          answer();
        },
        leastMs + Math.random() * (mostMs - leastMs),
      );
    },
  };
}
