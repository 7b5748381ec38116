import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsOffline } from '../session/session-context.ts';
import classes from './shell.module.css';

/** Shown while the service does not answer. */
export function OfflineBanner(): ReactNode {
  const isOffline = useIsOffline();
  return (
    <div role="status">
      {isOffline && (
        <div className={classes.offline}>
          <Loader size={14} /> Cannot reach Notify. Retrying…
        </div>
      )}
    </div>
  );
}
