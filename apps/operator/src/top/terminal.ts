import type { Paint } from './layout.ts';
import type { Terminal } from './live.ts';

/** The terminal of this process. Null when its output or its input is none. */
export function openTerminal(paint: Paint): Terminal | null {
  const { stdin, stdout } = process;
  if (!stdout.isTTY || !stdin.isTTY) return null;
  return {
    size: () => ({ columns: stdout.columns, rows: stdout.rows }),
    write: (text) => void stdout.write(text),
    listen(onKey, onResize) {
      const onData = (data: Buffer): void => onKey(data.toString());
      stdin.setRawMode(true);
      stdin.on('data', onData);
      stdin.resume();
      stdout.on('resize', onResize);
      return () => {
        stdout.off('resize', onResize);
        stdin.off('data', onData);
        stdin.setRawMode(false);
        stdin.pause();
      };
    },
    paint,
  };
}
