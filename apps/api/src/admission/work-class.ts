/**
 * What a request asks for, the most important first. When too much is asked, each class keeps its own share, and the
 * shares of the later ones are small.
 *
 * - `send` stores a message. Its client repeats it, but it is what the service is for.
 * - `callback` brings delivery receipts and what people write. Some providers never repeat one, so it goes before reads.
 * - `look-up` reads one message by its id.
 * - `change` is every other write, and everything that waits for a provider.
 * - `list` reads pages and figures. People wait for it, programs repeat it.
 * - `sign-in` needs no credential yet. Passwords have their own queue behind it.
 */
export const workClasses = ['send', 'callback', 'look-up', 'change', 'list', 'sign-in'] as const;
export type WorkClass = (typeof workClasses)[number];

/** The facts of a route that decide its class. */
interface Classified {
  readonly operationId: string;
  readonly method: string;
  readonly credential: string;
  readonly scope: string | null;
}

/** Operations that end access. They are never refused, and cost little. */
const neverRefused: readonly string[] = ['auth.logout', 'auth.endSession'];
/** Reads that wait for a provider, and so would fill the few places of lists. */
const slowReads: readonly string[] = ['messages.getMedia', 'tenantMessages.getMedia'];

/** The class of a route. Null: it is always admitted. */
export function classOf({ operationId, method, credential, scope }: Classified): WorkClass | null {
  if (neverRefused.includes(operationId)) return null;
  if (credential === 'none') return 'sign-in';
  if (/^(files|tenantFiles)\./.test(operationId)) return method === 'get' ? 'look-up' : 'change';
  if (scope === 'send' || scope === 'messages:send') return 'send';
  if (method !== 'get' || slowReads.includes(operationId)) return 'change';
  return scope === 'read' ? 'look-up' : 'list';
}
