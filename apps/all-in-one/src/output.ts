import { createLog } from '@notify/runtime';
import type { StartSettings } from './config.ts';
import { isLogLine, readableLine } from './log-line.ts';

/** Where `npm start` and `notify all` write. */
export interface Output {
  /** A step of the start or of the end. */
  readonly say: (line: string) => void;
  /** A line that a process wrote. */
  readonly onLine: (process: string, line: string) => void;
  /** Everything works, and the api has this URL. */
  readonly ready: (url: string) => void;
  /** Why it cannot start or go on. */
  readonly fail: (text: string) => void;
}

/** Lines for a person at a terminal, or JSON lines on stdout only. */
export function createOutput({ style, logLevel }: Pick<StartSettings, 'style' | 'logLevel'>): Output {
  return style === 'terminal' ? forPeople : forPrograms(logLevel);
}

const forPeople: Output = {
  say: (line) => console.log(line),
  onLine: (process, line) => console.log(readableLine(process, line)),
  ready: (url) => console.log(`ready ${url}`),
  fail: (text) => console.error(text),
};

/** Log lines of processes pass unchanged. Anything else that they write, such as the reason of a crash, becomes one. */
function forPrograms(logLevel: StartSettings['logLevel']): Output {
  const log = createLog({ logLevel }, 'notify');
  return {
    say: (line) => log.tell('step', { msg: line }),
    onLine(process, line) {
      if (isLogLine(line)) console.log(line);
      else log.tell('output', { msg: line, source: process });
    },
    ready: (url) => log.tell('ready', { url }),
    fail: (text) => log.tell('start-failed', { msg: text }),
  };
}
