/**
 * Asks with a time limit of `firstMs`, and again with twice as much until `isSo` holds for the answer, eight times at most; resolves to
 * the last answer. For a limit that must end a call, but not before the call got as far as the test needs it. How long that takes
 * is the machine's business.
 */
export async function withEnoughTime<Answer>(
  firstMs: number,
  ask: (limitMs: number) => Promise<Answer>,
  isSo: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let limitMs = firstMs; ; limitMs *= 2) {
    const answer = await ask(limitMs);
    if (isSo(answer) || limitMs >= 128 * firstMs) return answer;
  }
}
