import type { Adapter } from '@notify/channels';
import type { Db } from '@notify/db';
import type { HttpClient } from '@notify/egress';
import type { Waker } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';

/** Everything a handler may touch. `main.ts` builds the real one. */
export interface ApiDeps {
  readonly db: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly waker: Waker;
  readonly http: HttpClient;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly log: Log;
}
