import type { Paint } from './layout.ts';

/** A terminal that a person looks at. */
export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Calls back for each key that is pressed, and when the window has another size. Returns how to stop. */
  listen(onKey: (key: string) => void, onResize: () => void): () => void;
  readonly paint: Paint;
}

export interface Live {
  readonly terminal: Terminal;
  /** The lines of the next frame. */
  readonly draw: (size: { readonly columns: number; readonly rows: number }) => Promise<readonly string[]>;
  readonly everyMs: number;
}

// The alternate screen, the cursor and erasing: "XTerm Control Sequences", https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
const enter = '\u001b[?1049h\u001b[?25l';
export const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
/** In raw mode Ctrl-C and Ctrl-D arrive as these. */
const endKeys = ['q', 'Q', '\u0003', '\u0004'];

/** Redraws until `q` or Ctrl-C, or the signal. The terminal is then as it was before, also after an error. */
export async function showLive({ terminal, draw, everyMs }: Live, ended: AbortSignal): Promise<void> {
  const quit = new AbortController();
  const over = AbortSignal.any([quit.signal, ended]);
  const again = createPause(over);
  const stop = terminal.listen(
    (key) => {
      if (endKeys.includes(key)) quit.abort();
    },
    () => again.cutShort(),
  );
  terminal.write(enter);
  try {
    while (!over.aborted) {
      const lines = await Promise.race([draw(terminal.size()), fired(over)]);
      if (lines === null) break;
      terminal.write(`${home}${lines.map((line) => `${line}${eraseLine}`).join('\r\n')}${eraseBelow}`);
      await again.wait(everyMs);
    }
  } finally {
    terminal.write(leave);
    stop();
  }
}

/** A pause that a change of the window, or the end, cuts short. */
function createPause(over: AbortSignal): {
  readonly wait: (ms: number) => Promise<void>;
  readonly cutShort: () => void;
} {
  let wake = (): void => undefined;
  over.addEventListener('abort', () => wake(), { once: true });
  return {
    async wait(ms) {
      if (over.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    cutShort: () => wake(),
  };
}

function fired(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
