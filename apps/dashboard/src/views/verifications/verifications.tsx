import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { named } from '../../live/use-events.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { FiguresTable } from './figures-table.tsx';
import { LimitsForm } from './limits-form.tsx';
import { VerificationList } from './verification-list.tsx';

const everyMs = 15_000;

/** One-time codes: how many were sent to each country and entered, and the limits. */
export function VerificationsView(): ReactNode {
  const on = named('verification.held');
  const usage = useRead('get /v1/usage/verifications', { query: {} }, { everyMs });
  const limits = useRead('get /v1/verification-limits', {}, { everyMs: 60_000, on });
  return (
    <Page
      title="Verifications"
      about={
        <>
          One-time codes that your apps send and check.{' '}
          <Anchor href="/docs/guides/verify" underline="always" inherit>
            Guide
          </Anchor>
        </>
      }
    >
      <Stack>
        <Section
          title="Last 24 hours"
          about="By country prefix. Many codes that nobody enters are a sign of traffic pumping."
        >
          <Loaded query={usage} what="the figures" skeleton={<Skeleton height={160} radius="lg" />}>
            {(figures) =>
              figures.prefixes.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No verifications in this period.
                </Text>
              ) : (
                <FiguresTable usage={figures} />
              )
            }
          </Loaded>
        </Section>
        <VerificationList />
        <Section title="Limits" about="How many verifications may be started per hour, by country prefix.">
          <Loaded query={limits} what="the limits" skeleton={<Skeleton height={160} radius="lg" />}>
            {(known) => <LimitsForm key={JSON.stringify(known)} limits={known} />}
          </Loaded>
        </Section>
      </Stack>
    </Page>
  );
}
