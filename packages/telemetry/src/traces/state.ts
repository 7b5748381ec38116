import type { Place } from './traceparent.ts';

/** Facts about a span: ids, kinds and numbers. Never a text, an address, a URL or a setting. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has ended. */
export interface EndedSpan {
  readonly name: string;
  readonly place: Place;
  /** Null for the first span of a trace. */
  readonly parentId: string | null;
  readonly kind: 'internal' | 'server' | 'client';
  readonly links: readonly Place[];
  readonly attributes: Attributes;
  /** By the clock of this process, in ms since 1970. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** The kind of its failure, or null. */
  readonly error: string | null;
}

/** What `startTraces` sets. One process has one exporter, as it has one registry of metrics. */
export const state: { ratio: number; record: ((span: EndedSpan) => void) | null } = {
  ratio: 0,
  record: null,
};
