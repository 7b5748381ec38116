import { Agent, Pool } from 'undici';
import { type ConnectOptions, guardedConnector, type Lookup, systemLookup } from './connect.ts';
import { createGuard, type EgressRules, type Guard } from './guard.ts';

export interface AgentOptions extends EgressRules {
  readonly userAgent: string;
  /** Open connections to one origin at most, whoever asks. Default 16. */
  readonly connectionsPerOrigin?: number;
  /** How names are looked up. Default: as the system does. */
  readonly lookup?: Lookup;
  /** Certificate authorities to trust in place of the system's, as PEM. */
  readonly ca?: string;
  /** The operator's proxy, `http://user:password@host:port`; none where it is null or absent. */
  readonly proxy?: string | null;
}

/** Connections that are vetted when they are made, and the guard that vets them. */
export interface GuardedAgent {
  readonly agent: Agent;
  readonly guard: Guard;
}

/** Bytes of headers an answer may have. */
const maxHeaderSize = 16_384;

/** Opens the connections of one client. They are kept alive; each new one is vetted again. */
export function openGuardedAgent(options: AgentOptions): GuardedAgent {
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
    // The deadline of each request is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const agent = new Agent({
    factory: (origin) => new Pool(origin, { ...pool, connect: guardedConnector(new URL(origin), connect) }),
  });
  return { agent, guard };
}

/** Headers of every request: who asks, and that no content coding is wanted, so that no bomb can unfold. */
export function ownHeaders({ userAgent }: AgentOptions): Record<string, string> {
  return { 'user-agent': userAgent, 'accept-encoding': 'identity' };
}
