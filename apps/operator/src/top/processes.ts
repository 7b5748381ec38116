import type { KnownProcess } from '@notify/db/operations';
import type { TopFigures } from './figures.ts';
import { type Column, type Paint, shortSpan, sizeText, type Style, tableOf } from './layout.ts';

/** An event loop that comes so late, in ms, is blocked. */
const lateMs = 200;

/** Narrower windows leave out the columns that are extra. */
const allColumnsFrom = 110;

interface ProcessColumn extends Column {
  readonly isExtra?: boolean;
}

/** Every process: where it runs, since when, when it was last seen, and how busy it is. */
export function processLines({ processes, now }: TopFigures, width: number, paint: Paint): string[] {
  const columns: readonly ProcessColumn[] = [
    { title: 'PROCESS', width: 17 },
    { title: 'HOST' },
    { title: 'PID', width: 7, side: 'right' },
    { title: 'VERSION', width: 7, isExtra: true },
    { title: 'UP', width: 6, side: 'right', isExtra: true },
    { title: 'SEEN', width: 6, side: 'right' },
    { title: 'TURNS', width: 14, side: 'right' },
    { title: 'PERMITS', width: 15, side: 'right' },
    { title: 'LAG', width: 6, side: 'right' },
    { title: 'MEM', width: 6, side: 'right', isExtra: true },
  ];
  if (processes.length === 0) return [paint('PROCESSES: none has been seen within the last hour', 'alarm')];
  const rows = processes.toSorted(byName).map((process) => rowOf(process, now));
  const shown = columns.map(({ isExtra }) => isExtra !== true || width >= allColumnsFrom);
  const pick = <Item>(all: readonly Item[]): Item[] => all.filter((_, index) => shown[index]);
  return tableOf(
    pick(columns),
    rows.map(({ cells, style }) => ({ cells: pick(cells), style })),
    width,
    paint,
  );
}

function byName(a: KnownProcess, b: KnownProcess): number {
  if (a.isAlive !== b.isAlive) return a.isAlive ? -1 : 1;
  return a.name === b.name ? a.startedAt.getTime() - b.startedAt.getTime() : a.name < b.name ? -1 : 1;
}

function rowOf(process: KnownProcess, now: Date): { cells: string[]; style: Style } {
  const { name, host, pid, version, startedAt, seenAt, isAlive, figures } = process;
  const about = [name, host, String(pid), version];
  const seen = shortSpan(Math.max(0, now.getTime() - seenAt.getTime()));
  if (!isAlive) return { cells: [...about, '-', seen, 'ended'], style: 'alarm' };
  const { turns, permits, eventLoopLagMs, memoryBytes } = figures;
  const busy = [
    fullest(turns.map(({ lane, running, slots }) => ({ name: lane, used: running, of: slots }))),
    fullest(
      permits.map(({ lane, of, inUse, limit }) => ({
        name: of === 'calls' ? lane : of,
        used: inUse,
        of: limit,
      })),
    ),
    `${Math.round(eventLoopLagMs)} ms`,
    sizeText(memoryBytes),
  ];
  const up = shortSpan(now.getTime() - startedAt.getTime());
  return { cells: [...about, up, seen, ...busy], style: eventLoopLagMs >= lateMs ? 'alarm' : 'plain' };
}

interface Share {
  readonly name: string;
  readonly used: number;
  readonly of: number;
}

/** The fullest of them: `fast 64/64`. A sum would hide that a lane is full. `-` for a process without any. */
function fullest(shares: readonly Share[]): string {
  const [first, ...others] = shares;
  if (first === undefined) return '-';
  const share = ({ used, of }: Share): number => (of === 0 ? 0 : used / of);
  const { name, used, of } = others.reduce((most, one) => (share(one) > share(most) ? one : most), first);
  return `${name} ${used}/${of}`;
}
