import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import type { Usage } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { readersZone } from '../../parts/time/zone.ts';
import { Page } from '../../shell/page.tsx';
import { FirstSteps, useStepsLeft } from '../first-steps/first-steps.tsx';
import { ChannelsSection } from './channels-section.tsx';
import { FailuresSection } from './failures-section.tsx';
import { type Period, periods } from './figures.ts';
import { MessagesSection } from './messages-section.tsx';
import classes from './overview.module.css';
import { Problems } from './problems.tsx';
import { Trial } from './trial.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const everyMs = 10_000;

/** What needs attention, then the figures of 24 hours or of 30 days. Beside them, a new tenant finds the first steps. */
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
      <Stack gap="lg">
        <Problems />
        <Trial />
        <Figures period={period} />
      </Stack>
    </Page>
  );
}

function Figures({ period }: { readonly period: Period }): ReactNode {
  const usage = useRead('get /v1/usage', { query: { per: period.per } }, { everyMs });
  const steps = useStepsLeft();
  return (
    <Loaded query={usage} what="the figures" skeleton={<FiguresSkeleton />}>
      {(data) =>
        steps === null || steps.left.length === 0 ? (
          <AllFigures usage={data} period={period} />
        ) : (
          <FiguresOfNewcomer usage={data} period={period}>
            <FirstSteps {...steps} />
          </FiguresOfNewcomer>
        )
      }
    </Loaded>
  );
}

interface Shown {
  readonly usage: Usage;
  readonly period: Period;
}

function AllFigures({ usage, period }: Shown): ReactNode {
  return (
    <>
      <MessagesSection usage={usage} period={period} />
      <ChannelsSection channels={usage.channels} />
      <div className={classes.columns}>
        <FailuresSection usage={usage} />
        <WebhooksSection webhooks={usage.webhooks} />
      </div>
    </>
  );
}

/**
 * The figures, and `children` in their own column. The health of the webhooks fills up that column, or, as long as
 * there is nothing to count, the other one.
 */
function FiguresOfNewcomer({ usage, period, children }: Shown & { readonly children: ReactNode }): ReactNode {
  const webhooks = <WebhooksSection webhooks={usage.webhooks} />;
  const hasFigures = usage.totals.accepted > 0;
  return (
    <div className={classes.withSteps}>
      <Stack gap="lg">
        <MessagesSection usage={usage} period={period} />
        <ChannelsSection channels={usage.channels} />
        <FailuresSection usage={usage} />
        {!hasFigures && webhooks}
      </Stack>
      <Stack gap="lg">
        {children}
        {hasFigures && webhooks}
      </Stack>
    </div>
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
