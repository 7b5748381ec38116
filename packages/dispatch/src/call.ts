import { baseUrlOf, type Media, type SendRequest, type Split } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import { reached } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import type { OpenConnection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';
import { concealIn, concealInError } from './one-time-code.ts';

/** One call to a provider. */
export interface ProviderCall {
  readonly claimed: Claimed;
  readonly connection: OpenConnection;
  readonly split: Split;
  /** The one-time code in the text, which must not show anywhere else. Null without one. */
  readonly code: string | null;
  /** The file of a media message, else null. */
  readonly media: Media | null;
  /** When the message was claimed, by `performance.now()`. */
  readonly claimedAt: number;
  /** Aborts the call at its deadline. */
  readonly signal: AbortSignal;
}

/**
 * Hands one message, or one part of it, to its provider. A throwing adapter is a bug: its outcome is unknown. Counts and
 * times the call.
 */
export async function callProvider(call: ProviderCall, deps: DispatchDeps): Promise<Outcome> {
  const beganAt = performance.now();
  const outcome = concealIn(withoutAnswer(await send(call, deps), call.code), call.code);
  const labels = { provider: call.connection.adapter.id, outcome: outcome.kind };
  metrics.providerCalls.ended.inc(labels);
  metrics.providerCalls.duration.observe(labels, (performance.now() - beganAt) / 1_000);
  return outcome;
}

/** An answer may quote a code in any spelling, so that of an accepted one is not kept. */
function withoutAnswer(outcome: Outcome, code: string | null): Outcome {
  if (code === null || outcome.kind !== 'accepted' || outcome.text === undefined) return outcome;
  return { ...outcome, text: 'The response has no message ID.' };
}

async function send(call: ProviderCall, deps: DispatchDeps): Promise<Outcome> {
  const { claimed, connection, signal, code } = call;
  const { adapter, settings } = connection;
  try {
    reached('dispatch-calling');
    return await adapter.send(requestOf(call), {
      settings,
      http: deps.http.of(adapter),
      baseUrl: baseUrlOf(adapter, deps.providerUrls),
      signal,
    });
  } catch (error) {
    const err = concealInError(error, code);
    deps.log.tell('adapter-failed', { err, provider: adapter.id, messageId: claimed.messageId });
    return { kind: 'unknown', text: 'Sending failed with an unexpected error.' };
  } finally {
    reached('dispatch-answered');
  }
}

/** What remains of a message's life, in ms, by the clock of the database that claimed it; negative after its end. */
export function remainingMs({ msToExpiry }: Pick<Claimed, 'msToExpiry'>, claimedAt: number): number {
  return msToExpiry - (performance.now() - claimedAt);
}

function requestOf({ claimed, connection, split, media, claimedAt }: ProviderCall): SendRequest {
  return {
    messageId: claimed.messageId,
    to: claimed.to,
    // What follows a file is the rest of its caption.
    type: media === null && claimed.part > 0 ? 'text' : claimed.type,
    body: claimed.body,
    part: claimed.part,
    parts: split.texts.length,
    text: claimed.type === 'text' || claimed.part > 0 ? split.texts[claimed.part]! : null,
    media,
    attempt: claimed.attempts,
    throttles: claimed.throttles,
    lifetimeMs: Math.max(remainingMs(claimed, claimedAt), 0),
    // The first part of a split message is the answer, and the others continue it.
    replyTo: claimed.part === 0 ? claimed.replyTo : null,
    threadId: claimed.replyTo?.threadId ?? null,
    callbackUrl: connection.callbackUrl,
  };
}
