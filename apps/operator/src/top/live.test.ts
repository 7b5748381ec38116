import { unpainted } from './layout.ts';
import { showLive, type Terminal } from './live.ts';

/** A terminal that remembers what was written, and whose keys and size the test sets. */
function terminalOf() {
  const written: string[] = [];
  let press: (key: string) => void = () => undefined;
  let resize = (): void => undefined;
  let isRaw = false;
  const size = { columns: 80, rows: 24 };
  const terminal: Terminal = {
    size: () => ({ ...size }),
    write: (text) => void written.push(text),
    listen(onKey, onResize) {
      [press, resize, isRaw] = [onKey, onResize, true];
      return () => {
        isRaw = false;
      };
    },
    paint: unpainted,
  };
  return {
    terminal,
    written,
    size,
    press: (key: string) => press(key),
    resize: () => resize(),
    isRaw: () => isRaw,
  };
}

const never = new AbortController().signal;
const hourMs = 3_600_000;
const entered = '\u001b[?1049h\u001b[?25l';
const left = '\u001b[?25h\u001b[?1049l';

test.each([
  ['q', 'q'],
  ['Ctrl-C', '\u0003'],
])('%s ends it, and the terminal is as before', async (_, key) => {
  const on = terminalOf();
  const drawn = Promise.withResolvers<void>();
  const draw = async () => {
    drawn.resolve();
    return ['one', 'two'];
  };
  const shown = showLive({ terminal: on.terminal, draw, everyMs: hourMs }, never);
  await drawn.promise;
  on.press('x');
  expect(on.isRaw()).toBe(true);
  on.press(key);
  await shown;
  expect(on.written[0]).toBe(entered);
  expect(on.written.at(-1)).toBe(left);
  expect(on.isRaw()).toBe(false);
});

test('every line is erased to its end, and what was below the frame', async () => {
  const on = terminalOf();
  const draw = async () => {
    queueMicrotask(() => setImmediate(() => on.press('q')));
    return ['one', 'two'];
  };
  await showLive({ terminal: on.terminal, draw, everyMs: hourMs }, never);
  expect(on.written[1]).toBe('\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J');
});

test('a signal ends it while it waits for a frame', async () => {
  const on = terminalOf();
  const end = new AbortController();
  const draw = () => {
    queueMicrotask(() => end.abort());
    return new Promise<readonly string[]>(() => undefined);
  };
  await showLive({ terminal: on.terminal, draw, everyMs: hourMs }, end.signal);
  expect(on.written).toEqual([entered, left]);
  expect(on.isRaw()).toBe(false);
});

test('a fault leaves the terminal as it was', async () => {
  const on = terminalOf();
  const draw = () => Promise.reject(new Error('a bug'));
  await expect(showLive({ terminal: on.terminal, draw, everyMs: hourMs }, never)).rejects.toThrow('a bug');
  expect(on.written.at(-1)).toBe(left);
  expect(on.isRaw()).toBe(false);
});

test('another size of the window is drawn at once', async () => {
  const on = terminalOf();
  const sizes: number[] = [];
  const draw = async ({ columns }: { readonly columns: number }) => {
    sizes.push(columns);
    setImmediate(() => {
      if (sizes.length === 2) on.press('q');
      on.size.columns = 120;
      on.resize();
    });
    return [];
  };
  await showLive({ terminal: on.terminal, draw, everyMs: hourMs }, never);
  expect(sizes).toEqual([80, 120]);
});

test('it draws again after a while', async () => {
  const on = terminalOf();
  let drawn = 0;
  const draw = async () => {
    drawn += 1;
    if (drawn === 3) setImmediate(() => on.press('q'));
    return [];
  };
  await showLive({ terminal: on.terminal, draw, everyMs: 1 }, never);
  expect(drawn).toBe(3);
});
