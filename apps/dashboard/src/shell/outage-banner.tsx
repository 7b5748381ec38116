import { Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useNavigation } from 'react-router';
import { isCutOff } from '../api/failure.ts';
import { type Wait, watchReads } from '../api/waiting-reads.ts';
import { useOutage } from '../session/session-context.ts';
import { outageInWords } from './outage-words.ts';
import classes from './shell.module.css';
import { useIsLate } from './use-is-late.ts';

/** Says that the service does not answer: at once if it cannot be reached, and otherwise what the caller waits for. */
export function OutageBanner({ wait = null }: { readonly wait?: Wait | null }): ReactNode {
  const outage = useOutage();
  const shown = isCutOff(outage) ? outage : wait;
  return (
    <div role="status">
      {shown !== null && (
        <div className={classes.offline}>
          <Loader size={14} /> {outageInWords(shown)}
        </div>
      )}
    </div>
  );
}

/** Says so of whatever a view waits for: its reads, or its script. */
export function ViewOutageBanner(): ReactNode {
  const client = useQueryClient();
  const outage = useOutage();
  const watch = useMemo(() => watchReads(client.getQueryCache()), [client]);
  const reads = useSyncExternalStore(watch.subscribe, () => watch.wait);
  const isLate = useIsLate(useNavigation().state === 'loading');
  return <OutageBanner wait={reads ?? (isLate ? (outage ?? 'unanswered') : null)} />;
}
