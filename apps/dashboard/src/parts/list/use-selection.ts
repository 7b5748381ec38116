import { useState } from 'react';

/** Which rows of a list are selected, by their ids. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly replace: (ids: readonly string[]) => void;
}

/** Begins with no row selected. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) =>
      setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    replace: (wanted) => setIds(new Set(wanted)),
  };
}
