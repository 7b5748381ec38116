import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** An answer in a worker's log: a provider accepted a message, or a receiver took an event. */
export interface LoggedAnswer {
  readonly pid: number;
  readonly kind: 'call' | 'post';
  /** Id of the message, of the delivery, or of the pack. */
  readonly id: string;
  readonly attempt: number;
  /** Part of the message, from 0; 0 for a post. */
  readonly part: number;
  /** Event of a post, of a pack its first; null for a call. */
  readonly eventId: string | null;
}

/** Reads logs while they grow. */
export interface AnswerLog {
  /** All answers logged so far. */
  read(): Promise<readonly LoggedAnswer[]>;
}

/** Follows the logs of all workers in the folder. */
export function followAnswers(logFolder: string): AnswerLog {
  const offsets = new Map<string, number>();
  const answers: LoggedAnswer[] = [];
  return {
    async read() {
      for (const file of await readdir(logFolder)) {
        if (!file.includes('-worker-')) continue;
        const from = offsets.get(file) ?? 0;
        const text = await readFrom(path.join(logFolder, file), from);
        // The last line may be incomplete.
        const complete = text.slice(0, text.lastIndexOf('\n') + 1);
        offsets.set(file, from + Buffer.byteLength(complete));
        for (const line of complete.split('\n')) answers.push(...answerOf(line));
      }
      return answers;
    },
  };
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read({ buffer: Buffer.alloc(size - position), position });
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

interface LogLine {
  readonly pid: number;
  readonly msg: string;
  readonly attempt: number;
  readonly part?: number;
  readonly outcome?: string;
  readonly decision?: string;
  readonly messageId?: string;
  readonly deliveryId?: string;
  readonly packId?: string;
  readonly eventId?: string;
}

/** The answer in a line of a log, as a list; empty for every other line. */
export function answerOf(line: string): LoggedAnswer[] {
  if (!line.includes('attempt"')) return [];
  const {
    pid,
    msg,
    attempt,
    part = 0,
    outcome,
    decision,
    messageId,
    deliveryId,
    packId,
    eventId,
  } = parsed(line);
  if (msg === 'attempt' && outcome === 'accepted' && messageId !== undefined)
    return [{ pid, kind: 'call', id: messageId, attempt, part, eventId: null }];
  if (msg === 'delivery attempt' && decision === 'delivered' && deliveryId !== undefined)
    return [{ pid, kind: 'post', id: packId ?? deliveryId, attempt, part: 0, eventId: eventId ?? null }];
  return [];
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    // A process was killed while it wrote this line.
    return { pid: 0, msg: '', attempt: 0 };
  }
}

/** The answers that rows record. */
export interface StoredAnswers {
  /** `<message> <attempt> <part>` of each attempt that a provider accepted. */
  readonly calls: ReadonlySet<string>;
  /** Messages whose acceptance was stored later, as a receipt, because their lease had ended. */
  readonly acceptedLate: ReadonlySet<string>;
  /** `<delivery or pack> <attempt>` of each post. */
  readonly posts: ReadonlySet<string>;
}

/** The logged answers that no row records, except those of processes that were cut off before they could store them. */
export function thrownAway(
  logged: readonly LoggedAnswer[],
  stored: StoredAnswers,
  cutPids: ReadonlySet<number>,
): LoggedAnswer[] {
  return logged.filter((answer) => !cutPids.has(answer.pid) && !isStored(answer, stored));
}

function isStored({ kind, id, attempt, part }: LoggedAnswer, stored: StoredAnswers): boolean {
  if (kind === 'post') return stored.posts.has(`${id} ${attempt}`);
  return stored.calls.has(`${id} ${attempt} ${part}`) || stored.acceptedLate.has(id);
}
