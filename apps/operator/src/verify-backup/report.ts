import type { Ages, Looked } from '@notify/db/backups';
import { span, timeBeside } from '@notify/operations/explain';
import { type Findings, sumByVersion, type Verified } from './findings.ts';
import { mostOpened } from './keys.ts';

const widest = 110;
const titleWidth = 10;

/** What was found out, on one screen. The faults come last, because that is where an operator looks. Pure. */
export function report(verified: Verified, { faults, toDo }: Findings): string {
  const verdict =
    faults.length === 0
      ? 'Nothing is wrong with it.'
      : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`;
  return [
    ...paragraph('', head(verified)),
    '',
    ...paragraph('Keys', keyWords(verified)),
    ...paragraph('Schema', schemaWords(verified)),
    ...paragraph('Newest', newestWords(verified)),
    ...paragraph('Due', dueWords(verified)),
    ...paragraph('Rows', rowWords(verified)),
    ...paragraph('Checks', checkWords(verified)),
    '',
    ...faults.flatMap((line) => paragraph('FAULT', line)),
    ...toDo.flatMap((line) => paragraph('To do', line)),
    verdict,
  ].join('\n');
}

/** The newest moment that the database knows of. Null when it is empty. */
export function momentOf({ ages, lastHeartbeat }: Pick<Verified, 'ages' | 'lastHeartbeat'>): Date | null {
  const of = ages.kind === 'found' ? ages.found : null;
  const all = [
    of?.newestMessage,
    of?.newestEvent,
    of?.newestAttempt,
    of?.newestPost,
    foundOr(lastHeartbeat, null),
  ];
  const times = all.flatMap((at) => (at === null || at === undefined ? [] : [at.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function head(verified: Verified): string {
  const { server } = verified;
  if (server.kind !== 'found') return 'The server does not say what it is.';
  const { database, version, bytes, now } = server.found;
  const moment = momentOf(verified);
  const of =
    moment === null ? 'It holds no messages' : `The newest that it holds is from ${timeBeside(moment, now)}`;
  return `Database ${database} on Postgres ${version}, ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 0 })} MB. ${of}.`;
}

function keyWords({ keys, jwtSecrets }: Verified): string {
  const jwt = jwtSecrets.length === 0 ? '' : ` JWT_SECRETS has ${jwtSecrets.join(', ')}.`;
  if (keys?.kind !== 'found') return `No stored secret was opened.${jwt}`;
  const versions = [...sumByVersion(keys.found)].toSorted(([a], [b]) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  const stored = versions.reduce((sum, [, count]) => sum + count, 0);
  const [tried, unreadable] = [sum(keys.found, 'tried'), sum(keys.found, 'unreadable')];
  const some =
    tried < stored ? `, of ${count(stored)}: the first ${count(mostOpened)} of each column were tried` : '';
  const by = versions.map(([version, many]) => `${count(many)} by master key ${version}`).join(', ');
  return `${count(tried - unreadable)} of ${count(tried)} stored secrets open${some}${by === '' ? '' : ` (sealed: ${by})`}.${jwt}`;
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

function schemaWords({ schema, partitions, server }: Verified): string {
  if (schema.kind !== 'found') return 'Unknown.';
  const { applied, pending, indexes, invalidIndexes } = schema.found;
  const now = server.kind === 'found' ? server.found.now : new Date(0);
  const ahead = partitions.kind === 'found' ? partitions.found.map((one) => one.secondsAhead) : [];
  const reach =
    ahead.length === 0
      ? ''
      : ` Every table has partitions until ${new Date(now.getTime() + Math.min(...ahead) * 1_000).toISOString().slice(0, 10)}.`;
  return `${applied} of ${applied + pending.length} migrations are applied.${reach} ${indexes - invalidIndexes.length} of ${indexes} indexes are valid.`;
}

function newestWords(verified: Verified): string {
  const { ages, lastHeartbeat } = verified;
  const found = foundOr<Ages | null>(ages, null);
  const beat = foundOr(lastHeartbeat, null);
  const words = [
    ['message', found?.newestMessage],
    ['event', found?.newestEvent],
    ['ended attempt', found?.newestAttempt],
    ['post', found?.newestPost],
    ['heartbeat', beat],
  ] as const;
  return `${words.map(([what, at]) => `${what} ${at === null || at === undefined ? 'none' : clock(at)}`).join(', ')}.`;
}

function clock(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

function dueWords({ ages, server }: Verified): string {
  if (ages.kind !== 'found' || server.kind !== 'found') return 'Unknown.';
  const { dueMessages, dueDeliveries, oldestDueMessage, oldestDueDelivery } = ages.found;
  const since = (at: Date | null): string =>
    at === null ? '' : `, the oldest for ${span(server.found.now.getTime() - at.getTime())}`;
  return `${count(dueMessages)} messages${since(oldestDueMessage)}; ${count(dueDeliveries)} webhook deliveries${since(oldestDueDelivery)}.`;
}

function rowWords({ rows }: Verified): string {
  if (rows.kind !== 'found') return 'Unknown.';
  const words = rows.found.map(
    ({ table, count: many, isEstimate }) => `${table} ${isEstimate ? '~' : ''}${count(many)}`,
  );
  return `${words.join(', ')}.`;
}

function checkWords({ checks }: Verified): string {
  const done = checks.flatMap(({ looked }) => (looked.kind === 'found' ? [looked.found] : []));
  const left = checks.length - done.length;
  const rows = done.reduce((total, { looked }) => total + looked, 0);
  const bad = done.filter((one) => one.broken > 0).length;
  return `${done.length} spot checks between tables looked at ${count(rows)} rows; ${bad === 0 ? 'all hold' : `${bad} do not hold`}.${left === 0 ? '' : ` ${left} could not be made.`}`;
}

function foundOr<Found>(looked: Looked<Found>, otherwise: Found): Found {
  return looked.kind === 'found' ? looked.found : otherwise;
}

function count(many: number): string {
  return many.toLocaleString('en');
}

/** A titled text, broken into lines that are indented behind the title. */
function paragraph(title: string, text: string): string[] {
  const indent = title === '' ? '' : ' '.repeat(titleWidth);
  const lines: string[] = [];
  let line = title === '' ? '' : title.padEnd(titleWidth - 1);
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + word.length + 1 > widest) {
      lines.push(line);
      line = indent.slice(1);
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}
