import type { Adapter } from './channel.ts';
import { httpSms } from './http-sms/http-sms.ts';
import { sandbox } from './sandbox/sandbox.ts';

/** Every provider, by the id accounts are stored with. */
export const adapters: ReadonlyMap<string, Adapter> = new Map(
  [httpSms, sandbox].map((adapter: Adapter) => [adapter.id, adapter]),
);
