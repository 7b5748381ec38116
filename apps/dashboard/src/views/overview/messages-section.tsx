import { Skeleton, Table } from '@mantine/core';
import type { Usage } from '@notify/sdk';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { percent } from '../../parts/percent.ts';
import { Section } from '../../parts/section.tsx';
import { Time, useNow } from '../../parts/time/time.tsx';
import { amount } from '../../parts/time/time-text.ts';
import { useZone } from '../../parts/time/zone.ts';
import { bucketName, type Period, standingOf } from './figures.ts';
import classes from './overview.module.css';

const Chart = lazyPart(async () => (await import('./chart.tsx')).MessagesChart);
const columns = ['Accepted', 'Delivered', 'Sent (unconfirmed)', 'Pending', 'Failed'];

/** Messages over time, by their state: as figures, as a chart and as a table. */
export function MessagesSection({
  usage,
  period,
}: {
  readonly usage: Usage;
  readonly period: Period;
}): ReactNode {
  const { totals, buckets, asOf } = usage;
  const about = (
    <>
      {period.per === 'hour' ? 'Hourly' : 'Daily'}
      {asOf !== null && (
        <>
          {', updated '}
          <Time at={asOf} />
        </>
      )}
    </>
  );
  return (
    <Section title="Messages" about={about}>
      <div className={classes.tilesBox}>
        <dl className={classes.tiles}>
          <Tile name="Accepted" value={amount(totals.accepted)} />
          <Tile name="Delivered" value={amount(totals.delivered)} more={percent(totals.deliveryRate)} />
          <Tile name="Read" value={amount(totals.read)} />
          <Tile name="Pending" value={amount(totals.waiting)} />
          <Tile name="Failed" value={amount(totals.failed)} isBad={totals.failed > 0} />
        </dl>
      </div>
      {totals.accepted === 0 ? (
        <div className={classes.noChart}>The chart is empty: no message was accepted in this period.</div>
      ) : (
        <>
          <div aria-hidden="true">
            <Suspense fallback={<Skeleton height={260} />}>
              <Chart buckets={buckets} per={period.per} />
            </Suspense>
          </div>
          <details className={classes.asTable}>
            <summary>View as table</summary>
            <BucketTable buckets={buckets} per={period.per} />
          </details>
        </>
      )}
    </Section>
  );
}

function Tile({
  name,
  value,
  more,
  isBad = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
  readonly isBad?: boolean;
}): ReactNode {
  return (
    <div className={classes.tile} {...(isBad ? { 'data-bad': true } : {})}>
      <dt>{name}</dt>
      <dd>
        {value}
        {more !== undefined && <span className={classes.tileMore}>{more}</span>}
      </dd>
    </div>
  );
}

function BucketTable({
  buckets,
  per,
}: {
  readonly buckets: Usage['buckets'];
  readonly per: Period['per'];
}): ReactNode {
  const zone = useZone();
  const now = useNow();
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table className={classes.figures} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{per === 'hour' ? 'Hour' : 'Day'}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {buckets.map((bucket) => {
            const { delivered, sent, waiting, failed } = standingOf(bucket);
            return (
              <Table.Tr key={bucket.startsAt}>
                <Table.Th scope="row">{bucketName(bucket.startsAt, per, zone, now)}</Table.Th>
                {[bucket.accepted, delivered, sent, waiting, failed].map((count, column) => (
                  <Table.Td key={columns[column]}>{amount(count)}</Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
