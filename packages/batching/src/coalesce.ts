import { createBatcher } from './batch.ts';

const maxIds = 200;

/**
 * Makes one statement of the requests of many callers, such as the claims of several turns. Requests that come while a
 * statement runs share the next one. Ids without a result are answered with null. When two callers request the same id
 * in one statement, the first gets the result and the other gets null.
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
