import { SimpleGrid, Text } from '@mantine/core';
import type { AccountLink } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Time } from '../../../parts/time/time.tsx';

/** The sending limits of a linked phone, and how much of them is used. */
export function Care({ care }: { readonly care: NonNullable<AccountLink['care']> }): ReactNode {
  const { minIntervalSeconds: least, maxIntervalSeconds: most, restrictedUntil } = care;
  const isWarmingUp = care.newContactsAllowed < care.newContactsPerDay;
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" component="dl" m={0}>
        <Fact name="Delay between messages">{least === most ? `${least} s` : `${least} to ${most} s`}</Fact>
        <Fact name="New contacts in 24 hours">
          {care.newContactsUsed} of {care.newContactsAllowed}
          {isWarmingUp && ` (grows to ${care.newContactsPerDay} in ${care.warmUpDays} days)`}
        </Fact>
      </SimpleGrid>
      {restrictedUntil !== null && (
        <Text size="sm" mt="sm">
          WhatsApp blocks first messages to new contacts until <Time at={restrictedUntil} />. They wait until
          then.
        </Text>
      )}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}
