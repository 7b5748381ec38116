import type { CallOptions, SendOptions } from '../config.ts';
import type {
  CheckedVerification,
  CheckVerification,
  CodeVerification,
  StartedVerification,
  StartVerification,
} from '../schema.ts';
import { withKey } from '../transport/idempotency.ts';
import type { Transport } from '../transport/transport.ts';

/** One-time codes: send one to a person, and check what the person enters. Needs an API key. */
export class Verifications {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends a code. All tries of the call make one code, by an idempotency key. Another call for the same recipient within 30 s
   * resolves with the same verification. Scope `send`.
   */
  start(body: StartVerification, options: SendOptions = {}): Promise<StartedVerification> {
    const keyed = withKey(body, options);
    const more = { ...options, repeatable: true, sentKey: keyed.idempotencyKey };
    return this.#transport.call('verifications.start', { body: keyed }, more);
  }

  /** A verification by its id. Scope `read`. */
  get(id: string, options?: CallOptions): Promise<CodeVerification> {
    return this.#transport.call('verifications.get', { path: { id } }, options);
  }

  /**
   * Checks a code, and counts the try. It is not repeated when the answer is lost: a second check of a right code is refused with
   * `verification-ended`. Then ask `get`: `status` is `approved`. Scope `send`.
   */
  check(id: string, body: CheckVerification, options?: CallOptions): Promise<CheckedVerification> {
    return this.#transport.call('verifications.check', { path: { id }, body }, options);
  }
}
