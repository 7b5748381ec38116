/** A page of a list. `hasMore` is false at the end of a list that can be continued later. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
  readonly hasMore?: boolean;
}

type ItemOf<P> = P extends { readonly data: readonly (infer Item)[] } ? Item : never;

/**
 * A list that comes in pages. Awaited, it is one page; iterated, it is every item of this page and all after it:
 *
 *     const page = await notify.tenantMessages.list({ status: 'failed' });
 *     for await (const message of notify.tenantMessages.list({ status: 'failed' })) …
 *
 * The first request is made when it is awaited or iterated. Each iteration reads anew.
 */
export class Pages<P extends Page<unknown>> implements Promise<P>, AsyncIterable<ItemOf<P>> {
  readonly [Symbol.toStringTag] = 'Pages';
  readonly #fetchPage: (cursor: string | undefined) => Promise<P>;
  #first: Promise<P> | undefined;

  /** @param fetchPage the page at a cursor, or the first that was asked for */
  constructor(fetchPage: (cursor: string | undefined) => Promise<P>) {
    this.#fetchPage = fetchPage;
  }

  /** The pages from the first on. Ends after the last. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.#fetchPage(cursor);
      yield page;
      if (page.nextCursor === null || page.hasMore === false) return;
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void, undefined> {
    for await (const page of this.pages()) yield* page.data as readonly ItemOf<P>[];
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list gives a page
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#first ??= this.#fetchPage(undefined)).then(onPage, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<P> {
    return this.then((page) => page).finally(onEnd);
  }
}
