import type { Command, OperatorDeps } from '../command.ts';
import { readTop, type TopFigures } from './figures.ts';
import { frameOf } from './frame.ts';
import { cut, unpainted } from './layout.ts';
import { showLive, type Terminal } from './live.ts';

const everyMs = 2_000;
/** The width of a frame for a file or a pipe. */
const fileColumns = 140;

export const topCommand: Command = {
  name: 'top',
  words: [],
  options: {},
  flags: { once: 'one frame, as for a pipe' },
  about:
    'Shows rates, waiting work by lane, the busiest and slowest tenants, accounts and webhooks, and the processes. Redraws every 2 s until q or Ctrl-C.',
  async run({ flags, json }, deps) {
    const terminal = flags.has('once') || json ? null : deps.terminal();
    if (terminal !== null) {
      await watch(terminal, deps);
      return { value: null, text: '' };
    }
    const figures = await readTop(deps.db);
    const lines = frameOf(figures, { columns: fileColumns, rows: null, paint: unpainted });
    return { value: valueOf(figures), text: lines.map((line) => line.trimEnd()).join('\n') };
  },
};

/** Draws until the person or a signal ends it. While the database is away, the last frame stays and says so. */
async function watch(terminal: Terminal, { db, ended }: OperatorDeps): Promise<void> {
  let last: TopFigures | null = null;
  const draw = async (size: { columns: number; rows: number }): Promise<readonly string[]> => {
    const { paint } = terminal;
    try {
      last = await readTop(db);
      return frameOf(last, { ...size, paint });
    } catch (error) {
      const what: unknown = error instanceof AggregateError ? error.errors[0] : error;
      const said = `cannot read the database: ${what instanceof Error ? what.message : String(what)}`;
      const line = paint(cut(said.replace(/\s+/g, ' '), size.columns), 'alarm');
      return last === null ? [line] : [line, ...frameOf(last, { ...size, rows: size.rows - 1, paint })];
    }
  };
  await showLive({ terminal, draw, everyMs }, ended);
}

function valueOf({ now, processes, sample, byId, heldSince }: TopFigures): object {
  return { at: now, heldSince, sample, processes, names: Object.fromEntries(byId) };
}
