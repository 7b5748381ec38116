import type { Operation } from '../api.ts';
import type { Headers } from '../client.ts';
import type { RawCase } from './raw.ts';

/** A request in which `<<name>>` stands for what is known only when it is sent. */
export interface HttpPlan {
  readonly what: string;
  /** The operation whose description the answer must obey; null where none is meant. */
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | Buffer | null;
  /** The only right status: 401 where no credential holds, 405 where the path takes another method. */
  readonly mustBe?: 204 | 401 | 404 | 405;
}

/** Bytes that are no proper HTTP, for their own connection. */
export interface RawPlan {
  readonly what: string;
  readonly raw: RawCase;
}

export type Plan = HttpPlan | RawPlan;
