import type { MessageBody } from './message.ts';
import type { Outcome } from './outcome.ts';
import { codeMask } from './verification.ts';

/**
 * Whether a body may have a place for a one-time code: a text with the mask, or a template with a button for a code. Tenants may
 * write the same, so it can be without one.
 */
export function hasMask(body: MessageBody): boolean {
  if ('template' in body) return body.oneTimeCodes !== undefined;
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
 * The outcome of a call without the code that it sent. Providers quote the text in their errors, some of them encoded. A
 * text that has the code in base64 is replaced whole, because its neighbours there would not stay readable.
 */
export function withoutCode(outcome: Outcome, code: string): Outcome {
  return concealed(outcome, code) as Outcome;
}

function concealed(value: unknown, code: string): unknown {
  if (typeof value === 'string') return withoutCodeIn(value, code);
  if (Array.isArray(value)) return value.map((item) => concealed(item, code));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, concealed(inner, code)]));
}

/** A text without the code: as it is, with signs between its digits, or in base64. */
export function withoutCodeIn(text: string, code: string): string {
  if (base64Forms(code).some((form) => text.includes(form))) return codeMask;
  return text.replace(new RegExp(code.split('').join('[\\s.,_-]{0,2}'), 'g'), codeMask);
}

/** What of a code is the same in the base64 of every text that has it, for each of the three alignments. */
export function base64Forms(code: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = btoa(' '.repeat(offset) + code);
    const whole = Math.floor(((offset + code.length) * 8) / 6);
    return encoded.slice(Math.ceil((offset * 8) / 6), whole);
  });
}

/** A text of a provider without its longer numbers, one of which may be a code. */
export function withoutNumbers(text: string): string {
  return text.replace(/\d{4,}/g, codeMask);
}
