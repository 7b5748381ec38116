import { Table } from '@mantine/core';
import type { VerificationUsage } from '@notify/sdk';
import type { ReactNode } from 'react';
import { withShare } from '../../parts/percent.ts';
import { Time } from '../../parts/time/time.tsx';
import { amount } from '../../parts/time/time-text.ts';
import classes from './verifications.module.css';

/** Verifications by country prefix, with the sum of all. */
export function FiguresTable({ usage }: { readonly usage: VerificationUsage }): ReactNode {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Verifications by country prefix">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Prefix</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th>Code entered</Table.Th>
            <Table.Th>Approved</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>Refused</Table.Th>
            <Table.Th>Held until</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.prefixes.map(({ prefix, heldUntil, ...counts }) => (
            <Row key={prefix} name={prefix ?? 'Not a phone number'} counts={counts} heldUntil={heldUntil} />
          ))}
          {usage.prefixes.length > 1 && <Row name="All" counts={usage.totals} heldUntil={null} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({
  name,
  counts: { starts, checked, approved, failed, refused },
  heldUntil,
}: {
  readonly name: string;
  readonly counts: VerificationUsage['totals'];
  readonly heldUntil: string | null;
}): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>{amount(starts)}</Table.Td>
      <Table.Td>{withShare(checked, starts)}</Table.Td>
      <Table.Td>{withShare(approved, starts)}</Table.Td>
      <Table.Td>{amount(failed)}</Table.Td>
      <Table.Td>{amount(refused)}</Table.Td>
      <Table.Td>
        <Time at={heldUntil} />
      </Table.Td>
    </Table.Tr>
  );
}
