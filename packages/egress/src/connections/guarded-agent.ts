import { Agent, Pool } from 'undici';
import { createGuard, type EgressRules, type Guard } from '../guard/guard.ts';
import { type ConnectOptions, guardedConnector, type Lookup, systemLookup } from './connect.ts';
import { passOverInterimAnswers } from './interim-answers.ts';

export interface AgentOptions extends EgressRules {
  readonly userAgent: string;
  /** The limit of open connections to one origin, over all callers. Default 16. */
  readonly connectionsPerOrigin?: number;
  /** The look-up of names. Default: the system's. */
  readonly lookup?: Lookup;
  /** Certificate authorities to trust instead of the system's, as PEM. */
  readonly ca?: string;
  /** The operator's proxy, `http://user:password@host:port`. Null or absent: none. */
  readonly proxy?: string | null;
}

/** Connections that are vetted as they are made, and the guard that vets them. */
export interface GuardedAgent {
  readonly agent: Agent;
  readonly guard: Guard;
}

/** The limit of an answer's headers, in bytes. */
const maxHeaderSize = 16_384;

/**
 * Makes the agent of one client. Connections are kept alive, and each new one is vetted again. Informational answers are
 * passed over.
 */
export function openGuardedAgent(options: AgentOptions): GuardedAgent {
  passOverInterimAnswers();
  const guard = createGuard(options);
  const connect: ConnectOptions = {
    guard,
    lookup: options.lookup ?? systemLookup,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(typeof options.proxy === 'string' ? { proxy: new URL(options.proxy) } : {}),
  };
  const pool: Pool.Options = {
    connections: options.connectionsPerOrigin ?? 16,
    maxHeaderSize,
    // Only the deadline of each request limits its time.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const agent = new Agent({
    factory: (origin) => new Pool(origin, { ...pool, connect: guardedConnector(new URL(origin), connect) }),
  });
  return { agent, guard };
}

/** Headers of every request: the user agent, and a request for no content coding, so that no bomb can unfold. */
export function ownHeaders({ userAgent }: AgentOptions): Record<string, string> {
  return { 'user-agent': userAgent, 'accept-encoding': 'identity' };
}
