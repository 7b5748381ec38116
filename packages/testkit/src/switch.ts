/** How a peer behaves: as it was told, for so many requests, and then as usual. */
export class Switch<Behaviour extends { readonly times?: number }> {
  private current: Partial<Behaviour> = {};
  private left = Infinity;

  set(behaviour: Behaviour): void {
    this.current = behaviour;
    this.left = behaviour.times ?? Infinity;
  }

  /** What holds for the request that came in now. */
  next(): Partial<Behaviour> {
    this.left -= 1;
    if (this.left < 0) this.current = {};
    return this.current;
  }
}
