import type { ReactNode } from 'react';
import { Page } from '../../shell/page.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';

/** How it goes; for a new tenant, what to do first. */
export function OverviewView(): ReactNode {
  return (
    <Page title="Overview">
      <FirstSteps />
    </Page>
  );
}
