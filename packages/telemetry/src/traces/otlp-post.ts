import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { retryAfterMs as waitOf } from '@notify/core';
import type { Failure } from './outbox.ts';

/** The longest that one batch may take, with its repetitions, in ms. */
const timeoutMs = 5_000;
/** The wait before the first repetition, in ms, whatever the collector asks for. The next one waits longer. */
const firstWaitMs = 1_000;
const growth = 1.5;
/** The least time that a repetition needs, in ms. Without it, a collector that is away would be told as one that is slow. */
const leastMs = 250;
/** The longest pause that a collector may ask for, in ms. */
const maxPauseMs = 60_000;

/** Statuses to repeat (https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes). */
const retryableStatuses: readonly number[] = [429, 502, 503, 504];
const retryableCodes: readonly string[] = [
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
];

interface Answer {
  /** The kind of the failure, or null. */
  readonly fault: string | null;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
}

/** Posts one body to the collector. Resolves with null once it is taken. Never rejects. */
export type Post = (body: Uint8Array) => Promise<Failure | null>;

/**
 * Opens connections of its own to a collector. After 5 seconds a request is destroyed, whatever it has got until then, so a
 * collector that answers byte by byte holds up only one batch.
 */
export function openPost(url: string, headers: Readonly<Record<string, string>>): Post {
  const { Agent, request: open } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });

  async function postOnce(body: Uint8Array, signal: AbortSignal): Promise<Answer> {
    try {
      const request = open(url, { method: 'POST', headers, agent, signal });
      request.on('error', ignore);
      const [response] = (await once(request.end(body), 'response', { signal })) as [http.IncomingMessage];
      response.on('error', ignore).resume();
      await once(response, 'end', { signal });
      return answerOf(response);
    } catch (error) {
      const fault = signal.aborted ? 'timeout' : codeOf(error);
      return { fault, isRetryable: retryableCodes.includes(fault), retryAfterMs: null };
    }
  }

  return async (body) => {
    const endsAt = performance.now() + timeoutMs;
    const signal = AbortSignal.timeout(timeoutMs);
    for (let waitMs = firstWaitMs; ; waitMs *= growth) {
      const { fault, isRetryable, retryAfterMs } = await postOnce(body, signal);
      if (fault === null) return null;
      const pauseMs = Math.max(firstWaitMs, retryAfterMs ?? waitMs * (0.8 + 0.4 * Math.random()));
      if (!isRetryable || performance.now() + pauseMs + leastMs > endsAt)
        return { fault, pauseMs: Math.min(retryAfterMs ?? 0, maxPauseMs) };
      await wait(pauseMs, undefined, { ref: false });
    }
  };
}

function ignore(): void {
  // The same error has rejected what waits for it.
}

function answerOf({ statusCode = 0, headers }: http.IncomingMessage): Answer {
  const isRetryable = retryableStatuses.includes(statusCode);
  return {
    fault: statusCode >= 200 && statusCode < 300 ? null : `status ${statusCode}`,
    isRetryable,
    retryAfterMs: isRetryable ? waitOf(headers['retry-after'], Date.now()) : null,
  };
}

/** The kind of a failure: a code of Node. Messages may hold the URL. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : 'failed';
}
