/** Bounds the memory that bodies take while they arrive and are worked on. */
export interface BodyBudget {
  /** Takes bytes for a party. False if it may hold no more of them now; then it took none. */
  take(party: string, bytes: number): boolean;
  give(party: string, bytes: number): void;
}

/** All large bodies of a process together, in bytes. Parsed, they take about three times as much. */
const totalBytes = 64 * 1_048_576;

/**
 * One party may hold as much as is still free: alone half of all, and less when others hold some too. So one that
 * holds much never fills the budget (dynamic thresholds: Choudhury and Hahne, 1998).
 */
export function createBodyBudget(total = totalBytes): BodyBudget {
  const held = new Map<string, number>();
  let all = 0;

  function change(party: string, bytes: number): void {
    all += bytes;
    const own = (held.get(party) ?? 0) + bytes;
    if (own === 0) held.delete(party);
    else held.set(party, own);
  }

  return {
    take(party, bytes) {
      if ((held.get(party) ?? 0) + bytes > total - all) return false;
      change(party, bytes);
      return true;
    },
    give: (party, bytes) => change(party, -bytes),
  };
}
