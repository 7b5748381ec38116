/** A peer's behaviour: as told for a number of requests, and then as usual. */
export class Switch<Behaviour extends { readonly times?: number }> {
  private current: Partial<Behaviour> = {};
  private left = Infinity;

  set(behaviour: Behaviour): void {
    this.current = behaviour;
    this.left = behaviour.times ?? Infinity;
  }

  /** The behaviour for the request that just arrived. */
  next(): Partial<Behaviour> {
    this.left -= 1;
    if (this.left < 0) this.current = {};
    return this.current;
  }
}
