import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { thisInstallation } from '../../installation.ts';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Time, useNow } from '../../parts/time/time.tsx';
import { trialInWords } from '../../parts/time/trial-words.ts';
import { useZone } from '../../parts/time/zone.ts';

/** The tenant's name, email address, plan and ID. A trial is shown only where sending stops after it. */
export function Profile(): ReactNode {
  const query = useRead('get /auth/me');
  const now = useNow();
  const zone = useZone();
  // A trial that ends without a consequence says nothing.
  const ends = thisInstallation().trialEnforcement === 'block';
  return (
    <Section title="Profile">
      <Loaded query={query} what="the profile" skeleton={<Skeleton height={192} />}>
        {({ id, name, email, plan, trialEndsAt, createdAt }) => (
          <Facts
            facts={[
              ['Name', name],
              ['Email', email],
              ...(plan !== 'trial' || ends ? [['Plan', plan] as const] : []),
              ...(plan === 'trial' && ends
                ? [['Trial ends', trialInWords(new Date(trialEndsAt), now, zone)] as const]
                : []),
              ['Registered', <Time key="begin" at={createdAt} />],
              ['Tenant ID', <Id key="id" id={id} what="tenant ID" />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
