import type { ApiDeps } from '../../../apps/api/src/deps.ts';
import { constant } from './constant.ts';

const groupSize = 25;
const waitMs = 5;

/**
 * Stores nothing, but answers in groups: at most 25 messages wait together for 5 ms, as they would for a commit. Beside
 * `constant` it shows how much of what storing adds is waiting, and not work.
 */
export function grouped(deps: ApiDeps): ApiDeps {
  const ungrouped = constant(deps);
  let open: { size: number; readonly ended: Promise<void> } | null = null;

  function join(size: number): Promise<void> {
    open ??= { size: 0, ended: new Promise((resolve) => setTimeout(resolve, waitMs)) };
    const mine = open;
    mine.size += size;
    if (mine.size >= groupSize) open = null;
    void mine.ended.then(() => {
      if (open === mine) open = null;
    });
    return mine.ended;
  }

  return {
    ...ungrouped,
    async accept(items, origin) {
      await join(items.length);
      return ungrouped.accept(items, origin);
    },
  };
}
