import assert from 'node:assert/strict';
import type { Adapter, SendRequest } from './channel.ts';
import type { Answer } from './conformance-peer.ts';

/** What the suite must know of an adapter. Imported by tests only, as is every `conformance` file. */
export interface Subject {
  readonly adapter: Adapter;
  /** Settings of an account whose provider is at `baseUrl`. */
  readonly settings: (baseUrl: string) => unknown;
  /** The secrets in those settings: none of them may show anywhere. */
  readonly secrets: readonly string[];
  /** For adapters that call out: what the provider says when it has taken a message, and its id of it. */
  readonly http?: { readonly taken: Answer; readonly externalId: string | null };
}

/** One promise of the adapter interface; `run` rejects when the adapter breaks it. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** An ordinary text message, changed as the case needs it. */
export function sendRequest(changes: Partial<SendRequest> = {}): SendRequest {
  return {
    messageId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
    to: '+4915112345678',
    type: 'text',
    body: { text: 'Grüße & 100 % für "Ω" {{to}} 😀' },
    part: 0,
    parts: 1,
    text: null,
    media: null,
    attempt: 1,
    throttles: 0,
    callbackUrl: 'https://notify.example/callbacks/p/a/s',
    ...changes,
  };
}

/** Fails when a secret shows in `value`, as it is or percent-encoded. */
export function assertNoSecret(value: unknown, secrets: readonly string[]): void {
  const shown = JSON.stringify(value);
  for (const secret of secrets) {
    assert.ok(
      !shown.includes(secret) && !shown.includes(encodeURIComponent(secret)),
      `${shown} shows a secret`,
    );
  }
}
