import type { Audit } from './audit.ts';
import type { Verdict } from './finding.ts';

/** One line of the table. */
export interface Row {
  readonly fault: string;
  readonly audit: Audit;
  /** From the end of the fault to the end of all that had begun by then, in ms. */
  readonly recoveryMs: number;
}

const columns = [
  'fault',
  'accepted',
  'sent',
  'failed by design',
  'repeated, marked',
  'received',
  'lost',
  'duplicated',
  'stuck',
  'webhooks missing',
  'wrong',
  'longest recovery',
] as const;

type Cells = readonly (string | number)[];

/** The table: a heading, a line per fault, and the totals last. */
export function table(rows: readonly Row[]): string {
  const lines = [[...columns], ...rows.map(cells), cells(totals(rows))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => String(line[at]).length)));
  return lines.map((line) => lineOf(line, widths)).join('\n');
}

/** What was audited beside single messages, as a line. */
export function others(rows: readonly Row[]): string {
  const { groups, advanced, approved } = totals(rows).audit;
  return `${groups} fallback groups, ${advanced} of them with a second route; ${approved} verifications approved`;
}

/** One row as a line of progress. */
export function progress(row: Row): string {
  const [fault, ...rest] = cells(row);
  return `${fault}: ${rest.map((cell, at) => `${columns[at + 1]} ${cell}`).join(', ')}`;
}

/** The number of findings with this verdict. */
export function found({ findings }: Audit, verdict: Verdict): number {
  return findings.filter((finding) => finding.verdict === verdict).length;
}

function totals(rows: readonly Row[]): Row {
  const sum = (read: (audit: Audit) => number): number =>
    rows.reduce((total, { audit }) => total + read(audit), 0);
  return {
    fault: 'TOTAL',
    audit: {
      accepted: sum((audit) => audit.accepted),
      sent: sum((audit) => audit.sent),
      failedByDesign: sum((audit) => audit.failedByDesign),
      repeated: sum((audit) => audit.repeated),
      received: sum((audit) => audit.received),
      groups: sum((audit) => audit.groups),
      advanced: sum((audit) => audit.advanced),
      approved: sum((audit) => audit.approved),
      findings: rows.flatMap(({ audit }) => audit.findings),
    },
    recoveryMs: Math.max(0, ...rows.map((row) => row.recoveryMs)),
  };
}

function cells({ fault, audit, recoveryMs }: Row): Cells {
  const { accepted, sent, failedByDesign, repeated, received } = audit;
  const counted = (['lost', 'duplicated', 'stuck', 'missing', 'wrong'] as const).map((verdict) =>
    found(audit, verdict),
  );
  return [
    fault,
    accepted,
    sent,
    failedByDesign,
    repeated,
    received,
    ...counted,
    `${(recoveryMs / 1_000).toFixed(1)} s`,
  ];
}

function lineOf(line: Cells, widths: readonly number[]): string {
  const padded = line.map((cell, at) =>
    at === 0 ? String(cell).padEnd(widths[at]!) : String(cell).padStart(widths[at]!),
  );
  return padded.join('  ');
}
