import type { LogLevelToTake } from '@notify/db/operations';
import { type LevelChange, type Log, parseLevelChange, writtenLevels } from '@notify/runtime';

/** A timer cannot wait longer. */
const longestWaitMs = 2 ** 31 - 1;

/**
 * Puts the levels that are in force for this process on top of those of its start, and says so in the log. Each ends
 * at its time by the database's clock, also while the database is away. Levels and components that this version does not know are passed over.
 */
export function createLevelTaker(log: Log): {
  readonly take: (levels: readonly LogLevelToTake[]) => void;
  readonly close: () => void;
} {
  let ending: NodeJS.Timeout | undefined;

  function take(levels: readonly LogLevelToTake[]): void {
    clearTimeout(ending);
    const takenAt = performance.now();
    const inForce = levels.filter(({ leftMs }) => leftMs > 0);
    const before = writtenLevels(log.levels);
    log.changeLevels(inForce.flatMap(toChange));
    const after = writtenLevels(log.levels);
    if (after !== before) log.tell('log-levels-changed', { detail: after });
    if (inForce.length === 0) return;
    const firstMs = Math.min(...inForce.map(({ leftMs }) => leftMs));
    ending = setTimeout(
      () => {
        const passedMs = performance.now() - takenAt;
        take(inForce.map((level) => ({ ...level, leftMs: level.leftMs - passedMs })));
      },
      Math.min(firstMs + 1, longestWaitMs),
    ).unref();
  }

  return { take, close: () => clearTimeout(ending) };
}

function toChange({ component, level }: LogLevelToTake): LevelChange | [] {
  return parseLevelChange(component === null ? level : `${component}=${level}`) ?? [];
}
