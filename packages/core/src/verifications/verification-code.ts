import type { MessageBody } from '../messages/message.ts';
import type { Outcome } from '../messages/outcome.ts';
import { plainWords } from './plain-words.ts';
import { isQuote } from './quoted-code.ts';
import { codeMask } from './verification.ts';

/**
 * Whether a body may have a place for a one-time code: a text with the mask, or a template with a button for a code. Tenants may
 * write the same, so it can be without one.
 */
export function hasMask(body: MessageBody): boolean {
  if ('template' in body) return body.oneTimeCodes !== undefined;
  if ('interactive' in body) return false;
  return 'text' in body && body.text.includes(codeMask);
}

/** The body with the code in every masked place. */
export function withCode(body: MessageBody, code: string): MessageBody {
  return filled(body, code) as MessageBody;
}

function filled(value: unknown, code: string): unknown {
  if (typeof value === 'string') return value.replaceAll(codeMask, code);
  if (Array.isArray(value)) return value.map((item) => filled(item, code));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, code)]));
}

/**
 * The outcome of a call without the code that it sent. Providers quote the message in what they answer, in any encoding. So a text
 * keeps its plain words only. An id that quotes the code is dropped, and so is a provider's own code that could be one.
 */
export function withoutCode(outcome: Outcome, code: string): Outcome {
  switch (outcome.kind) {
    case 'accepted':
      return {
        ...withPlainText(outcome),
        externalId: isQuote(outcome.externalId ?? '', code) ? null : outcome.externalId,
        ...(outcome.receipts === undefined ? {} : { receipts: outcome.receipts.map(withPlainText) }),
      };
    case 'throttled':
    case 'unknown':
      return withPlainText(outcome);
    case 'retry':
    case 'rejected':
    case 'connection-broken': {
      const { providerCode, ...rest } = withPlainText(outcome);
      return isProviderCode(providerCode, code) ? { ...rest, providerCode } : rest;
    }
  }
}

function withPlainText<T extends { readonly text?: string }>(said: T): T {
  return said.text === undefined ? said : { ...said, text: plainWords(said.text) };
}

/** An HTTP status, or a number or a name from a provider's list of errors. Encoded, a code is longer. */
function isProviderCode(providerCode: string | undefined, code: string): providerCode is string {
  return /^[A-Za-z_.-]*\d{0,6}$/.test(providerCode ?? '-') && !isQuote(providerCode ?? '', code);
}
