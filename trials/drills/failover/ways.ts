import type { ClusterServer } from '@notify/testkit';

/** How a primary ends before its standby is promoted, and whether it returns while the new one runs. */
export interface Way {
  readonly name: string;
  readonly end: (primary: ClusterServer) => Promise<void>;
  /** Brings the old primary back as a primary, as happens without fencing: then both accept connections. */
  readonly comeBack?: (old: ClusterServer) => Promise<void>;
}

/** The ways in their order. A drill of two rounds has those in which both servers accept connections. */
export const ways: readonly Way[] = [
  { name: 'frozen, then thawed', end: (primary) => primary.freeze(), comeBack: (old) => old.thaw() },
  {
    name: 'killed, then restarted',
    end: (primary) => primary.stop('killed'),
    comeBack: (old) => old.start(),
  },
  { name: 'stopped fast', end: (primary) => primary.stop('fast') },
  { name: 'stopped immediate', end: (primary) => primary.stop('immediate') },
];
