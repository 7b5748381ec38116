import { codeMask, type Outcome, plainWords, withCode, withoutCode } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import { codePlace, findSealedCode } from '@notify/db/verifications';
import { SecretError } from '@notify/runtime';
import type { DispatchDeps } from './deps.ts';

/** A claim as it is to be sent. */
export interface Revealed {
  readonly claimed: Claimed;
  /** The one-time code that it carries. Null without one. */
  readonly code: string | null;
  /** The outcome of a message that cannot be sent, because its code is gone or does not open. */
  readonly ended: Outcome | null;
}

/** A claim that carries no code. */
export function plain(claimed: Claimed): Revealed {
  return { claimed, code: null, ended: null };
}

/** Stands for a code that is gone, where only the length of a text counts. */
const anyCode = '0'.repeat(codeMask.length);

const ended: Outcome = {
  kind: 'rejected',
  errorCode: 'verification-ended',
  text: 'The verification ended before its code was sent.',
};

/** Another process may have the key. */
const unreadable: Outcome = {
  kind: 'retry',
  errorCode: 'code-unreadable',
  text: 'The one-time code could not be decrypted.',
};

/** Puts the one-time code of a message with the mask in its place. A mask that a tenant wrote stays as it is. */
export async function reveal(masked: Claimed, deps: DispatchDeps): Promise<Revealed> {
  const found = await findSealedCode(deps.db, masked.messageId);
  if (found === null) return plain(masked);
  const { sealed, tenantId, verificationId } = found;
  if (sealed === null) return without(masked, ended);
  try {
    const code = deps.secrets.openOnce(sealed, codePlace(tenantId, verificationId));
    return { claimed: { ...masked, body: withCode(masked.body, code) }, code, ended: null };
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    deps.log.tell('code-unreadable', { err: error, messageId: masked.messageId });
    return without(masked, unreadable);
  }
}

function without(masked: Claimed, outcome: Outcome): Revealed {
  const claimed = { ...masked, body: withCode(masked.body, anyCode) };
  return { claimed, code: null, ended: outcome };
}

/** The outcome without the code, which providers quote in their errors. */
export function concealIn(outcome: Outcome, code: string | null): Outcome {
  return code === null ? outcome : withoutCode(outcome, code);
}

/** A line of a stack that names a place in a file; the lines before them quote the message. */
const frame = /^ {4}at (?:[\w.<>[\] ]+ \()?(?:file|node):[^\s()]+:\d+:\d+\)?$/;

/** An error to log, without the code: the plain words of its message, and where it was thrown. */
export function concealInError(error: unknown, code: string | null): unknown {
  if (code === null) return error;
  if (!Error.isError(error)) return new Error('an adapter threw what is no error');
  const name = plainWords(error.name);
  const message = plainWords(error.message);
  const frames = (error.stack ?? '').split('\n').filter((line) => frame.test(line));
  return Object.assign(new Error(message), { name, stack: [`${name}: ${message}`, ...frames].join('\n') });
}
