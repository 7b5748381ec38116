import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from './page.tsx';

/** Shown for things that do not exist or belong to another tenant. It does not reveal which. */
export function NotFound({ what = 'page' }: { readonly what?: string }): ReactNode {
  return (
    <Page title="Not found" zone={null}>
      <EmptyState
        title={`This ${what} does not exist`}
        action={
          <Button component={Link} to="/overview" variant="light">
            Go to overview
          </Button>
        }
      >
        It may have been removed, or the URL may be wrong.
      </EmptyState>
    </Page>
  );
}
