/** Why a provider gave no answer, in words for the owner of an account, and who can cure it. */
export interface NetworkTrouble {
  /** What happened, as a sentence. */
  readonly what: string;
  /** What to do about it. */
  readonly cure: string;
}

/** The gateway of a tenant's own choice: its address is in the settings, so that may be wrong. */
const ownAddress = 'http-sms';

const ofServer = 'This is the network of the server, not your settings: tell your operator.';
const checkAddress = 'Check the address in the settings. If it is right, tell your operator.';
const passes = 'This usually passes. If it does not, tell your operator.';

/** What happened, by the class of the failure that the api names, and what to do with an address of the provider's own. */
const classes: Readonly<Record<string, readonly [what: (host: string) => string, cure: string]>> = {
  blocked: [() => 'The server does not allow requests to this address.', ofServer],
  dns: [(host) => `Notify could not reach ${host} (name not found).`, ofServer],
  refused: [(host) => `Notify could not reach ${host} (no connection).`, ofServer],
  tls: [(host) => `Notify could not reach ${host} securely (TLS).`, ofServer],
  proxy: [(host) => `Notify could not reach ${host} (the server's proxy failed).`, ofServer],
  timeout: [(host) => `Notify got no response from ${host} in time.`, passes],
  reset: [(host) => `The connection to ${host} broke off.`, passes],
  aborted: [(host) => `The connection to ${host} broke off.`, passes],
  protocol: [(host) => `Notify could not read the response of ${host}.`, passes],
  'too-large': [(host) => `Notify could not read the response of ${host} (too large).`, passes],
};

/**
 * Reads the api's words about an account or its templates. Null if the provider did answer, so that its words count. `provider`:
 * the ID.
 */
export function networkTrouble(detail: string | null, provider: string): NetworkTrouble | null {
  const said = detail?.replace(/^Not verified: /, '') ?? '';
  const kind = kindOf(said);
  if (kind === null) return null;
  const [what, cure] = classes[kind] ?? classes['timeout']!;
  return { what: what(hostIn(said)), cure: provider === ownAddress ? checkAddress : cure };
}

function kindOf(said: string): string | null {
  if (said.startsWith('The address is not allowed')) return 'blocked';
  if (/^The provider did not (respond|list the templates) /.test(said)) return 'timeout';
  const failure = /^No response(?: \(([\w-]+)\))?/.exec(said);
  return failure === null ? null : (failure[1] ?? 'timeout');
}

/** The host that the failure names. Only a failed look-up of a name does. */
function hostIn(detail: string): string {
  const found = /\b(?:ENOTFOUND|EAI_AGAIN|ENODATA) ([\w.-]+)|([\w.-]+) has no address/.exec(detail);
  return found?.[1] ?? found?.[2] ?? 'the provider';
}
