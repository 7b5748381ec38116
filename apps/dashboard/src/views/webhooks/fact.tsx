import type { ReactNode } from 'react';

/** One line of a list of facts: what it is, and what it is here. */
export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
