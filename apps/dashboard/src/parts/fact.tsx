import type { ReactNode } from 'react';
import classes from './parts.module.css';

/** Facts beside each other, each with its name above its value. `children` are `Fact`s. */
export function FactGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className={classes.factGrid}>{children}</dl>;
}

/** A fact in a `FactGrid`: a name and its value. */
export function Fact({
  term,
  wide = false,
  children,
}: {
  readonly term: string;
  /** Takes the room of two. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div {...(wide ? { className: classes.wideFact, 'data-wide': true } : {})}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
