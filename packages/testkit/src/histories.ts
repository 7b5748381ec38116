/** The share of its histories that a long model runs in CI. */
const shareInCi = 1 / 5;

/** How many of its `all` histories a long model runs: all of them, but in CI, where CI is set, a fifth. */
export function histories(all: number): number {
  return process.env.CI === undefined ? all : Math.ceil(all * shareInCi);
}
