import type { ConnectionChange } from '@notify/sdk';
import type { Output } from '../output/output.ts';
import { plain } from '../output/plain.ts';
import type { Attempt } from './delivery.ts';
import type { Tally } from './tally.ts';

/** How `listen` begins. */
export interface Start {
  readonly service: string;
  readonly forwardTo: string;
  readonly positionFile: string;
  /** When the saved position was saved, if it continues there. */
  readonly savedAt: string | null;
  readonly since: string | null;
}

/** Tells a person what happens: events on standard output, the rest on standard error. With `--json`, lines of JSON. */
export interface Report {
  start(start: Start): void;
  connection(change: ConnectionChange): void;
  /** Events that were missed and have been read now. */
  caughtUp(count: number): void;
  attempt(attempt: Attempt): void;
  /** @param unfinished events that were read and have no result; the position is before them */
  summary(tally: Tally, unfinished: number): void;
}

/** @param clock the time of day, in ms */
export function createReport(output: Output, clock: () => number = Date.now): Report {
  const { noteStyle: style } = output;
  let lostAtMs = 0;
  let awaySinceMs: number | null = null;

  /** Says something that is not an event. */
  function say(type: string, fields: Readonly<Record<string, unknown>>, text: string): void {
    if (output.json) output.item({ type, at: new Date(clock()).toISOString(), ...fields }, () => []);
    else output.note(`${style.dim(timeOf(clock()))}  ${text}`);
  }

  function receiver({ answer, next }: Attempt): void {
    if (next === 'hold' && answer.kind === 'away' && awaySinceMs === null) {
      awaySinceMs = clock();
      const text = `the receiver is away (${plain(answer.reason)}); its events wait until it is back`;
      say('receiver', { state: 'away', reason: answer.reason }, style.yellow(text));
    } else if (next !== 'hold' && awaySinceMs !== null) {
      const afterMs = clock() - awaySinceMs;
      awaySinceMs = null;
      say(
        'receiver',
        { state: 'back', afterMs },
        style.green(`the receiver is back after ${seconds(afterMs)}`),
      );
    }
  }

  return {
    start({ service, forwardTo, positionFile, savedAt, since }) {
      const from =
        since !== null
          ? `since ${since}`
          : savedAt !== null
            ? `after the position saved at ${savedAt}`
            : 'from now on';
      const fields = { service, forwardTo, positionFile, savedAt, since };
      say('start', fields, `forwarding the events of ${plain(service)} to ${forwardTo}, ${from}`);
      if (savedAt !== null && !output.json)
        output.note(`          --since now skips what happened in between`);
    },
    connection(change) {
      const { state, attempt } = change;
      switch (state) {
        case 'open':
          return say('connection', { state, attempt }, style.green('connected'));
        case 'resumed': {
          const afterMs = clock() - lostAtMs;
          const text = `connected again after ${seconds(afterMs)} and ${count(attempt, 'attempt')}`;
          return say('connection', { state, attempt, afterMs }, style.green(text));
        }
        case 'lost': {
          if (attempt === 0) lostAtMs = clock();
          const { error, retryInMs } = change;
          const what = attempt === 0 ? 'connection lost' : `attempt ${attempt} failed`;
          const text = `${what}: ${plain(error.message)} Next attempt in ${seconds(retryInMs)}.`;
          return say('connection', { state, attempt, error: error.message, retryInMs }, style.yellow(text));
        }
      }
    },
    caughtUp(missed) {
      say('caught-up', { events: missed }, `caught up: ${count(missed, 'event')} from the time in between`);
    },
    attempt(attempt) {
      receiver(attempt);
      if (attempt.next === 'hold') return;
      output.item(attemptJson(attempt, clock()), ({ red, yellow, green, dim }) => {
        const paint = attempt.next === 'none' ? green : attempt.next === 'retry' ? yellow : red;
        const { event } = attempt.entry;
        const time = dim(timeOf(clock()));
        const subject = plain(`${event.event.padEnd(17)}  ${event.messageId ?? event.id}`);
        return [
          `${time}  ${subject}  ${paint(outcomeOf(attempt))}  ${dim(`${attempt.durationMs} ms`)}${nextOf(attempt)}`,
        ];
      });
    },
    summary(tally, unfinished) {
      const { forwarded, failed, repeated, leftOut, lost } = tally;
      const parts = [
        `${count(forwarded, 'event')} forwarded`,
        ...(failed.length > 0 ? [style.red(`${failed.length} failed`)] : []),
        ...(repeated > 0 ? [`${count(repeated, 'attempt')} repeated`] : []),
        ...(leftOut > 0 ? [`${leftOut} left out`] : []),
        ...(unfinished > 0 ? [`${unfinished} unfinished, which the next listen forwards`] : []),
        ...(lost > 0 ? [`connection lost ${lost === 1 ? 'once' : `${lost} times`}`] : []),
      ];
      say('summary', { ...tally, unfinished }, parts.join(', '));
      const oldest = failed.map(({ occurredAt }) => occurredAt).sort()[0];
      if (oldest === undefined || output.json) return;
      const shown = failed.slice(0, 20).map(({ id }) => id);
      output.note(`  failed: ${shown.join(' ')}${failed.length > shown.length ? ' …' : ''}`);
      output.note(`  To forward them again: --since ${oldest}`);
    },
  };
}

function attemptJson(
  { entry, answer, durationMs, number, next, retryInMs }: Attempt,
  nowMs: number,
): unknown {
  const { id, event, messageId, sequence = null, occurredAt } = entry.event;
  return {
    type: next === 'none' ? 'forwarded' : next === 'retry' ? 'refused' : 'failed',
    at: new Date(nowMs).toISOString(),
    event,
    eventId: id,
    messageId,
    sequence,
    occurredAt,
    status: answer.kind === 'answered' ? answer.status : null,
    error: answer.kind === 'answered' ? null : answer.reason,
    durationMs,
    attempt: number,
    retryInMs,
  };
}

function outcomeOf({ answer }: Attempt): string {
  return answer.kind === 'answered' ? String(answer.status) : plain(answer.reason);
}

function nextOf({ next, number, retryInMs, answer }: Attempt): string {
  if (next === 'retry') return `  attempt ${number}, next in ${seconds(retryInMs ?? 0)}`;
  if (next !== 'give-up') return '';
  const text = answer.kind === 'answered' ? plain(answer.text).slice(0, 80) : '';
  return `  given up after ${count(number, 'attempt')}${text === '' ? '' : `: ${text}`}`;
}

function timeOf(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function seconds(ms: number): string {
  return `${ms < 10_000 ? (ms / 1_000).toFixed(1) : Math.round(ms / 1_000)} s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
