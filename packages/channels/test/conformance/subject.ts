import assert from 'node:assert/strict';
import type { HttpClient } from '@notify/egress';
import type { Adapter, CallbackRequest, SendRequest } from '../../src/adapter/channel.ts';
import type { Answer } from './scripted-peer.ts';

/** An adapter under test, as the suite sees it. */
export interface Subject {
  readonly adapter: Adapter;
  /** Settings of an account whose provider is at `baseUrl`. */
  readonly settings: (baseUrl: string) => unknown;
  /** The secrets in those settings. None of them may appear in any output. */
  readonly secrets: readonly string[];
  /** For adapters that call out: the provider's answer when it accepts a message, and its id for that message. */
  readonly http?: { readonly taken: Answer; readonly externalId: string | null };
  /** False for settings with which the provider takes no sender. */
  readonly senders?: false;
  /**
   * For adapters that call out to send files: the answer to the upload that goes before the message, and the id in it. Null if
   * the file goes with the message.
   */
  readonly uploaded?: { readonly answer: Answer; readonly id: string } | null;
  /**
   * For adapters that ask their provider for templates: a list of one page, with everything that a template can have,
   * and a page that always names a next one.
   */
  readonly templates?: { readonly page: unknown; readonly endless: unknown };
  /** For adapters that call out to tell people something: the provider's answer when it has taken that. */
  readonly told?: Answer;
  /** For adapters with topics: a message that a person wrote in one, and what a call to send to that topic holds. */
  readonly topic?: { readonly callback: CallbackRequest; readonly sentAs: string };
  /** For adapters with buttons that call out: the callback of a press of the button with this id, below this message. */
  readonly press?: (id: string, externalId: string) => CallbackRequest;
  /** For adapters that get messages of people by callback. */
  readonly inbound?: InboundSubject;
}

/** Callbacks with messages that people wrote, as the provider makes and signs them. */
export interface InboundSubject {
  /** One text, with the provider's id. */
  readonly text: (id: string, text: string) => CallbackRequest;
  /** A kind of message that nobody knows; null if the provider tells no kinds. */
  readonly unknown: CallbackRequest | null;
  /** For callbacks in JSON: one document with everything that a callback can have, and a function that signs any. */
  readonly document?: { readonly value: unknown; readonly sign: (document: unknown) => CallbackRequest };
  /** For adapters with files: what `Inbound.file` holds. */
  readonly file?: unknown;
}

/** A callback as a POST to the account's address, with the changes that a case needs. */
export function callbackRequest(changes: Partial<CallbackRequest> = {}): CallbackRequest {
  return {
    method: 'POST',
    url: '/callbacks/p/a/s',
    publicUrl: 'https://notify.example/callbacks/p/a/s',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
    secretMatches: true,
    address: '192.0.2.1',
    ...changes,
  };
}

/** One promise of the adapter interface. `run` rejects when the adapter breaks it. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** An ordinary text message, with the changes that a case needs. */
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
    lifetimeMs: 86_400_000,
    replyTo: null,
    threadId: null,
    callbackUrl: 'https://notify.example/callbacks/p/a/s',
    ...changes,
  };
}

/** A template with one variable, with the changes that a case needs. `text` is there, as if the template were known. */
export function templateRequest(changes: Partial<SendRequest> = {}): SendRequest {
  const template = {
    name: 'HX0123456789abcdef0123456789abcdef',
    language: 'en',
    parameters: { body: ['Ada'] },
  };
  return sendRequest({ type: 'template', body: { template, text: 'Hello Ada' }, ...changes });
}

/** The `stream` of a client that answers no files. */
export const noStream: HttpClient['stream'] = () => Promise.reject(new Error('no file is expected here'));

/** Fails when a secret appears in `value`, plain or percent-encoded. */
export function assertNoSecret(value: unknown, secrets: readonly string[]): void {
  const shown = JSON.stringify(value);
  for (const secret of secrets) {
    assert.ok(
      !shown.includes(secret) && !shown.includes(encodeURIComponent(secret)),
      `${shown} shows a secret`,
    );
  }
}
