import { span } from '@notify/operations/explain';
import type { TopFigures } from './figures.ts';
import { fit, type Paint, rateText } from './layout.ts';

/** By default a sample is taken every 15 s (SAMPLE_SECONDS). One this old, in ms, is marked. */
const oldMs = 60_000;

/**
 * The first lines: the time, how old the sample is, and rates of all processes together. `hint` tells a person at a terminal
 * what a key does.
 */
export function headLines(figures: TopFigures, hint: string | null, width: number, paint: Paint): string[] {
  const { now } = figures;
  const title = `notify top   ${now.toISOString().slice(0, 19).replace('T', ' ')}Z   `;
  const { text, isOld } = sampleText(figures);
  return [
    paint(fit(`${title}${text}`, width), isOld ? 'alarm' : 'title'),
    ...heldLines(figures).map((line) => paint(fit(line, width), 'alarm')),
    paint(fit(rates(figures), width), 'plain'),
    ...connections(figures, hint).map((line) => paint(fit(line, width), 'plain')),
  ];
}

function heldLines({ heldSince, now }: TopFigures): string[] {
  if (heldSince === null) return [];
  return [
    `ALL SENDS ARE HELD after a restore, for ${span(now.getTime() - heldSince.getTime())}: "notify release-sends" ends it`,
  ];
}

/** How old the sample is. Dispatch workers take it. */
function sampleText({ sample, processes }: TopFigures): { readonly text: string; readonly isOld: boolean } {
  const isDispatched = processes.some(({ name, isAlive }) => name === 'dispatch-worker' && isAlive);
  const why = isDispatched ? '' : '; no dispatch worker is alive';
  if (sample === null) return { text: `nothing has been sampled yet${why}`, isOld: !isDispatched };
  const isOld = sample.ageMs >= oldMs || !isDispatched;
  return { text: `sampled ${span(sample.ageMs)} ago${isOld ? why : ''}`, isOld };
}

function rates({ processes }: TopFigures): string {
  const alive = processes.filter(({ isAlive }) => isAlive);
  const sum = (of: keyof (typeof alive)[number]['figures']['perSecond']): string =>
    rateText(alive.reduce((total, { figures }) => total + (figures.perSecond?.[of] ?? 0), 0));
  return `per second:  accepted ${sum('accepted')}  sent ${sum('sent')}  delivered ${sum('delivered')}  failed ${sum('failed')}  posts ${sum('posts')}  requests ${sum('requests')}`;
}

function connections({ processes }: TopFigures, hint: string | null): string[] {
  const alive = processes.filter(({ isAlive }) => isAlive);
  const pools = alive.flatMap(({ figures }) => figures.pools ?? []);
  const sum = (of: 'used' | 'idle' | 'limit' | 'waiting'): number =>
    pools.reduce((total, pool) => total + pool[of], 0);
  const open = alive.reduce((total, { figures }) => total + (figures.requestsOpen ?? 0), 0);
  const streams = alive.reduce((total, { figures }) => total + (figures.streamsOpen ?? 0), 0);
  return [
    `postgres: ${sum('used')} of ${sum('limit')} in use, ${sum('idle')} idle, ${several(sum('waiting'), 'caller')} waiting`,
    `http: ${several(open, 'request')}, ${several(streams, 'stream')}${hint === null ? '' : `   ${hint}`}`,
  ];
}

function several(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
