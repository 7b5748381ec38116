import type { Share } from './gate.ts';

/** Who sent a request, as far as memory knows. Its party is its tenant, or its network while the tenant is unknown. */
export interface Asker extends Share {
  /** The name of its well-formed API key. Undefined without one. */
  readonly keyName?: string;
}
