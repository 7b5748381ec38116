import type { UnknownPolicy } from '@notify/core';
import type { Finding, Verdict } from './finding.ts';
import { codeIn } from '../load/verifying.ts';

/** One person that a client verified, as clients, database and providers know it. */
export interface VerificationRecord {
  readonly key: string;
  readonly policy: UnknownPolicy;
  readonly ids: readonly string[];
  readonly approvals: number;
  readonly wrong: readonly string[];
  /** The rows of its number. */
  readonly rows: readonly { readonly id: string; readonly status: string; readonly tries: number }[];
  /** What the providers were asked to send to its number. */
  readonly sent: readonly {
    readonly messageId: string;
    readonly text: string;
    readonly taken: number;
    readonly possibleDuplicate: boolean;
  }[];
}

/** One start makes one code, which is sent once and approved once, and an approval that a client got stays. */
export function auditVerifications(records: readonly VerificationRecord[]): Finding[] {
  return records.flatMap((record) =>
    [...violations(record)].map(([verdict, detail]) => ({ verdict, key: record.key, detail })),
  );
}

function* violations(record: VerificationRecord): Generator<readonly [Verdict, string]> {
  const { ids, approvals, wrong, rows, sent } = record;
  for (const answer of wrong) yield ['wrong', answer];
  if (ids.length > 1) yield ['wrong', `answered with ${ids.length} ids: ${ids.join(', ')}`];
  if (rows.length > 1) yield ['duplicated', `${rows.length} verifications of one start`];
  for (const id of ids)
    if (!rows.some((row) => `ver_${row.id}` === id)) yield ['lost', `${id} was accepted and does not exist`];
  if (approvals > 1) yield ['duplicated', `approved ${approvals} times`];
  for (const { id, status, tries } of rows) {
    if (approvals > 0 && status !== 'approved') yield ['lost', `${id} was approved, and is ${status}`];
    if (tries > 5) yield ['wrong', `${id} counted ${tries} tries`];
  }
  const codes = new Set(sent.flatMap(({ text }) => codeIn(text)));
  if (codes.size > 1) yield ['duplicated', `${codes.size} different codes were sent`];
  for (const one of sent) yield* copies(record, one);
}

function* copies(
  { policy }: VerificationRecord,
  { messageId, text, taken, possibleDuplicate }: VerificationRecord['sent'][number],
): Generator<readonly [Verdict, string]> {
  if (codeIn(text).length === 0) yield ['wrong', `${messageId} was sent without a code`];
  const may = policy === 'at-least-once' && possibleDuplicate ? 2 : 1;
  if (taken > may) yield ['duplicated', `${messageId} was sent ${taken} times (${policy})`];
}
