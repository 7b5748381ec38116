import { createContext, useContext } from 'react';

/** An API key that was created in this tab, to fill in examples with. */
export interface FreshKey {
  readonly key: string | null;
  readonly keep: (key: string) => void;
}

/** Holds the key in memory while the tenant is logged in. */
export const FreshKeyContext = createContext<FreshKey>({ key: null, keep: () => undefined });

/** The API key that was just created in this tab, or null. Call `keep` after creating one. */
export function useFreshKey(): FreshKey {
  return useContext(FreshKeyContext);
}
