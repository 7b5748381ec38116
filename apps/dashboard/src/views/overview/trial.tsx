import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { thisInstallation } from '../../installation.ts';
import { InfoIcon } from '../../parts/icons.tsx';
import { useNow } from '../../parts/time/time.tsx';
import { trialInWords } from '../../parts/time/trial-words.ts';
import { useZone } from '../../parts/time/zone.ts';

const soonMs = 7 * 24 * 3_600_000;

/** Where sending stops after a trial: announces that it ends within a week, or has ended. */
export function Trial(): ReactNode {
  const { data } = useRead('get /auth/me');
  const now = useNow();
  const zone = useZone();
  if (data === undefined || data.plan !== 'trial') return null;
  if (thisInstallation().trialEnforcement === 'off') return null;
  const endsAt = new Date(data.trialEndsAt);
  const leftMs = endsAt.getTime() - now;
  if (leftMs > soonMs) return null;
  return (
    <Alert color={leftMs > 0 ? 'gray' : 'orange'} icon={<InfoIcon />}>
      {trialInWords(endsAt, now, zone)}
    </Alert>
  );
}
