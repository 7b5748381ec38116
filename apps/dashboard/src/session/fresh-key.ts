import { createContext, useContext } from 'react';

/** An API key that was made in this tab and is not gone yet, to fill in examples with. */
export interface FreshKey {
  readonly key: string | null;
  keep(key: string): void;
}

/** Holds it, in memory, for as long as the tenant is logged in. */
export const FreshKeyContext = createContext<FreshKey>({ key: null, keep: () => undefined });

/** The API key that was just made here, or null; `keep` is for whoever makes one. */
export function useFreshKey(): FreshKey {
  return useContext(FreshKeyContext);
}
