import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithUs, hasEnded, stopChild } from '@notify/testkit';

/** A provider or receiver in its own process, with a control port. */
export interface Peer {
  readonly url: string;
  /** Settings of an account for it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** All that its program printed about itself. */
  readonly shown: Readonly<Record<string, unknown>>;
  tell(command: string, body: unknown): Promise<void>;
  ledger<Entry>(): Promise<readonly Entry[]>;
  /** What the control port answers to a question. */
  ask<Answer>(question: string): Promise<Answer>;
  stop(): Promise<void>;
}

interface Introduction {
  readonly url: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly controlUrl: string;
}

const askAgainMs = 200;

/** Starts a peer's program, a path from the root, with its arguments. Resolves when it listens. It ends with this process. */
export async function startPeer(program: string, args: readonly string[] = []): Promise<Peer> {
  const file = path.resolve(import.meta.dirname, '../../..', program);
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const shown = JSON.parse(line) as Introduction & Record<string, unknown>;
  const { url, settings = {}, controlUrl } = shown;
  /** Asks again when the connection ends without an answer, as long as the program runs. */
  async function ask<Answer>(question: string): Promise<Answer> {
    for (;;) {
      try {
        const answer = await fetch(`${controlUrl}/${question}`);
        return (await answer.json()) as Answer;
      } catch (error) {
        if (hasEnded(child))
          throw new Error(`${program} ended before it answered ${question}`, { cause: error });
        await wait(askAgainMs);
      }
    }
  }
  return {
    url,
    settings,
    shown,
    async tell(command, body) {
      const answer = await fetch(`${controlUrl}/${command}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${program} refused ${command}: ${await answer.text()}`);
    },
    ledger: <Entry>() => ask<readonly Entry[]>('ledger'),
    ask,
    stop: () => stopChild(child),
  };
}
