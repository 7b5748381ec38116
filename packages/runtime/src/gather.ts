import { createBatcher } from './batch.ts';

const gatheredAtOnce = 200;

/**
 * Has `run` do for many ids at once what is asked for one at a time, such as claims of several turns in one statement:
 * what is asked while it runs goes together in its next run. Answers null for an id of which nothing comes. What is
 * asked twice for an id in one run comes once, to who asked first.
 */
export function gatherById<Request, Result>(
  run: (wanted: ReadonlyMap<string, Request>) => Promise<ReadonlyMap<string, Result>>,
): (id: string, request: Request) => Promise<Result | null> {
  const batcher = createBatcher<readonly [id: string, request: Request], Result | null>({
    maxItems: gatheredAtOnce,
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
