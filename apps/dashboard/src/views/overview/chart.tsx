import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Usage } from '@notify/sdk';
import type { ReactNode } from 'react';
import { amount } from '../../parts/time/time-text.ts';
import { useNow } from '../../parts/time/time.tsx';
import { useZone } from '../../parts/time/zone.ts';
import { bucketName, type Period, standingOf } from './figures.ts';

/** The parts of a bar, from bottom to top. Their colours also differ in lightness. */
const series = [
  { name: 'delivered', label: 'Delivered', color: 'teal.7' },
  { name: 'sent', label: 'Sent (unconfirmed)', color: 'ink.3' },
  { name: 'waiting', label: 'Pending', color: 'gray.5' },
  { name: 'failed', label: 'Failed', color: 'red.8' },
];

/** Messages per hour or day, by their state. A separate file, because it loads a charting library. */
export function MessagesChart({
  buckets,
  per,
}: {
  readonly buckets: Usage['buckets'];
  readonly per: Period['per'];
}): ReactNode {
  const zone = useZone();
  const now = useNow();
  return (
    <BarChart
      h={260}
      type="stacked"
      dataKey="name"
      data={buckets.map((bucket) => ({
        name: bucketName(bucket.startsAt, per, zone, now),
        ...standingOf(bucket),
      }))}
      series={series}
      withLegend
      legendProps={{ position: 'bottom' }}
      valueFormatter={amount}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={36}
      barProps={{ isAnimationActive: false }}
      // The chart is hidden from screen readers, which have the table. So the keyboard must skip it too.
      barChartProps={{ accessibilityLayer: false, tabIndex: -1 }}
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 16 }}
      yAxisProps={{ width: 52, allowDecimals: false }}
    />
  );
}
