import { Code, Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';

/** The tenant's name, email address, plan and ID. */
export function Profile(): ReactNode {
  const query = useRead('get /auth/me');
  return (
    <Section title="Profile">
      <Loaded query={query} what="the profile" skeleton={<Skeleton height={192} />}>
        {({ id, name, email, plan, trialEndsAt, createdAt }) => (
          <Facts
            facts={[
              ['Name', name],
              ['Email', email],
              ['Plan', plan],
              ...(plan === 'trial' ? [['Trial ends', <Time key="end" at={trialEndsAt} />] as const] : []),
              ['Registered', <Time key="begin" at={createdAt} />],
              [
                'Tenant ID',
                <Group key="id" gap={4} wrap="nowrap">
                  <Code>{id}</Code>
                  <CopyButton text={id} label="Copy the tenant ID" />
                </Group>,
              ],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
