/** The unit in which a provider takes the lifetime of a message, and the values that it accepts. */
export interface LifetimeLimits {
  /** The length of one unit, in ms. */
  readonly unitMs: number;
  /** The least and the most that the provider takes, in units. */
  readonly least: number;
  readonly most: number;
}

/**
 * What remains of a message's life in whole units of a provider. Rounded down, so that the provider gives up before the
 * message expires here. A message with less than the provider's minimum is alive, so it is sent with the minimum.
 */
export function lifetimeIn(lifetimeMs: number, { unitMs, least, most }: LifetimeLimits): number {
  return Math.min(Math.max(Math.floor(lifetimeMs / unitMs), least), most);
}
