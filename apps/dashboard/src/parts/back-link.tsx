import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ArrowLeftIcon } from './icons.tsx';
import classes from './parts.module.css';

/** What a link to one thing of a list carries, so that the way back leads to the list as it was filtered. */
export interface CameFrom {
  readonly list: string;
}

/** The state for links out of this page. */
export function useCameFrom(): CameFrom {
  const { pathname, search } = useLocation();
  return { list: pathname + search };
}

/** The `back` of a page: `Back to messages`. Leads to a list as the reader left it, or to all of it. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  const { state } = useLocation() as { state: Partial<CameFrom> | null };
  const list = state?.list;
  const isIt = list !== undefined && (list === to || list.startsWith(`${to}?`));
  return (
    <Anchor component={Link} to={isIt ? list : to} size="sm" display="inline-flex" className={classes.back}>
      <ArrowLeftIcon size={16} />
      <span>Back to {children}</span>
    </Anchor>
  );
}
