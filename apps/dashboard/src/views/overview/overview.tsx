import type { ReactNode } from 'react';
import { Page } from '../../shell/page.tsx';

/** Not built yet. */
export function OverviewView(): ReactNode {
  return <Page title="Overview">{null}</Page>;
}
