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
  if (style === 'program') return forPrograms(logLevel);
  return forPeople({ print: (line) => console.log(line), isTerminal: process.stdout.isTTY });
}

/** After so long without a line, in ms, a person is told that the present step goes on. */
const silenceMs = 4_000;

/** Where lines for a person go. */
interface Reader {
  readonly print: (line: string) => void;
  /** Whether a person looks on: then a step that takes long says so every 4 s. */
  readonly isTerminal: boolean;
}

/** Lines for a person. A step is a line that begins with what is being done, such as `starting Postgres`. */
export function forPeople({ print, isTerminal }: Reader): Output {
  let [step, began] = ['', 0];
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    if (!isTerminal || step === '') return;
    timer = setTimeout(() => {
      print(`still ${step} (${Math.round((performance.now() - began) / 1_000)} s)`);
      wait();
    }, silenceMs);
    timer.unref();
  };
  const begin = (line: string): void => {
    [step, began] = [line, performance.now()];
    wait();
  };
  return {
    say(line) {
      print(line);
      begin(/^(?:re)?(?:start|stopp|migrat)ing /.test(`${line} `) ? line : step);
    },
    onLine(process, line) {
      print(readableLine(process, line));
      wait();
    },
    ready(url) {
      print(`ready ${url}`);
      begin('');
    },
    fail(text) {
      console.error(text);
      begin('');
    },
  };
}

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
