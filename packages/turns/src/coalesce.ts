import { createBatcher } from './batch.ts';

const maxIds = 200;

/**
 * Makes one statement of what many callers ask at about the same time, such as the claims of several turns. What is asked
 * while a statement runs goes together into the next one. The answer is null for an id that the statement says nothing
 * about. When one statement is asked twice about an id, the first caller gets the answer and the other gets null.
 */
export function coalesceById<Request, Result>(
  run: (wanted: ReadonlyMap<string, Request>) => Promise<ReadonlyMap<string, Result>>,
): (id: string, request: Request) => Promise<Result | null> {
  const batcher = createBatcher<readonly [id: string, request: Request], Result | null>({
    maxItems: maxIds,
    async run(asked) {
      const found = new Map(await run(new Map(asked.toReversed())));
      return asked.map(([id]) => {
        const result = found.get(id) ?? null;
        found.delete(id);
        return result;
      });
    },
  });
  return (id, request) => batcher.add([id, request]);
}
