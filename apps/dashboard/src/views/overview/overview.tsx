import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { readersZone } from '../../parts/zone.ts';
import { Page } from '../../shell/page.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { ChannelsSection } from './channels-section.tsx';
import { FailuresSection } from './failures-section.tsx';
import { type Period, periods } from './figures.ts';
import { MessagesSection } from './messages-section.tsx';
import classes from './overview.module.css';
import { Trial } from './trial.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const everyMs = 10_000;

/** The figures of 24 hours or of 30 days. Beside them, a new tenant finds the first steps. */
export function OverviewView(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const period = periods.find((one) => one.period === search.get('period')) ?? periods[0];
  return (
    <Page
      title="Overview"
      about={period.words}
      // The api counts days of UTC.
      zone={period.per === 'day' ? 'UTC' : readersZone}
      actions={
        <SegmentedControl
          aria-label="Period"
          value={period.period}
          data={periods.map((one) => ({ value: one.period, label: one.label }))}
          onChange={(chosen) => setSearch(chosen === '24h' ? {} : { period: chosen })}
        />
      }
    >
      <div className={classes.withSteps}>
        <Figures period={period} />
        <FirstSteps />
      </div>
    </Page>
  );
}

function Figures({ period }: { readonly period: Period }): ReactNode {
  const usage = useRead('get /v1/usage', { query: { per: period.per } }, { everyMs });
  return (
    <Loaded query={usage} what="the figures" skeleton={<FiguresSkeleton />}>
      {(data) => (
        <Stack gap="lg">
          <Trial />
          <MessagesSection usage={data} period={period} />
          <ChannelsSection channels={data.channels} />
          <div className={classes.columns}>
            <FailuresSection usage={data} />
            <WebhooksSection webhooks={data.webhooks} />
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

function FiguresSkeleton(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton height={470} radius="lg" />
      <Skeleton height={210} radius="lg" />
    </Stack>
  );
}
