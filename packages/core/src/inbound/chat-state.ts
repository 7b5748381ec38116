/** What a person can be told beside messages: theirs were read, or somebody is writing to them. */
export const chatStates = ['read', 'typing'] as const;
export type ChatState = (typeof chatStates)[number];

/**
 * Why a person was not told. `not-asked`: the request did not ask for it. `not-supported`: the provider has no such thing, or
 * the account has turned it off. `no-message`: no message of the person is known by the provider's id. `not-connected`: the
 * account cannot be used now. `rate-limited`: too much at once, by our limits or the provider's. `refused`: the provider said
 * no. `unavailable`: the provider is away, or its answer does not tell. `timeout`: nothing came of it in time.
 */
export const notToldReasons = [
  'not-asked',
  'not-supported',
  'no-message',
  'not-connected',
  'rate-limited',
  'refused',
  'unavailable',
  'timeout',
] as const;
export type NotToldReason = (typeof notToldReasons)[number];

/** Whether the provider took it. Nobody learns whether the person saw it. */
export type Told =
  { readonly delivered: true } | { readonly delivered: false; readonly reason: NotToldReason };

/** How long telling may take in all, in ms. What is not told by then is dropped: it would be old news. */
export const tellWithinMs = 10_000;
