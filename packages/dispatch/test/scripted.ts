import { randomBytes } from 'node:crypto';
import type { Adapter, SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { settleMessages, type Settlement } from '@notify/db/dispatch';
import type { HttpClient } from '@notify/egress';
import { createLog, createSecrets, type Secrets } from '@notify/runtime';
import { makeTenant, takeWholeTurn, type TestTenant } from '@notify/testkit';
import { createDeadlines, createPermits, type Permits, type TurnContext } from '@notify/turns';
import { createClaimer } from '../src/message-claimer.ts';
import type { DispatchDeps } from '../src/deps.ts';
import { dispatchWork } from '../src/turn.ts';

/** An adapter whose answers a test writes, with a ledger of what it was asked to send. */
export interface Scripted {
  readonly adapter: Adapter;
  readonly ledger: SendRequest[];
}

/** Answers every send with what `answer` says; capabilities can be changed. */
export function scripted(
  answer: (request: SendRequest, count: number) => Outcome | Promise<Outcome>,
  changes: Partial<Adapter['capabilities']> = {},
): Scripted {
  const ledger: SendRequest[] = [];
  const adapter: Adapter = {
    id: 'scripted',
    channel: 'sms',
    name: 'Scripted',
    baseUrl: null,
    capabilities: {
      media: false,
      reportsDelivery: false,
      reportsRead: false,
      repeatIsSafe: false,
      callbacks: false,
      maxInFlight: 5,
      callDeadlineMs: 5_000,
      ...changes,
    },
    settings: { type: 'object', properties: {} } as Adapter['settings'],
    async send(request) {
      ledger.push(request);
      return answer(request, ledger.length);
    },
    verify: async () => ({ ok: true, detail: '' }),
  };
  return { adapter, ledger };
}

/** A tenant whose default account belongs to the scripted provider, with sealed settings. */
export async function scriptedTenant(db: Db, secrets: Secrets, settings: object = {}): Promise<TestTenant> {
  const tenant = await makeTenant(db, { provider: 'scripted' });
  const sealed = secrets.seal(
    JSON.stringify({ settings, callbackSecret: 'secret' }),
    settingsPlace(tenant.tenantId, tenant.accountId),
  );
  await db
    .updateTable('channel_accounts')
    .set({ settings: sealed })
    .where('id', '=', tenant.accountId)
    .execute();
  return tenant;
}

export const testSecrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

/** Refuses every call. */
const noHttp: HttpClient = {
  request: () => Promise.reject(new Error('no network in this test')),
  stream: () => Promise.reject(new Error('no network in this test')),
  close: async () => undefined,
};

/** What a turn needs, and what surrounds it. */
export interface TestDeps extends DispatchDeps, Pick<TurnContext, 'deadlines'> {
  readonly calls: Permits;
  /** Errors that were logged. */
  readonly errors: unknown[];
}

/** What a turn needs, over a real database; settlements are committed one by one. */
export function testDeps(db: Db, { adapter }: Scripted, changes: Partial<TestDeps> = {}): TestDeps {
  const errors: unknown[] = [];
  const log = createLog({ logLevel: 'error' }, 'test', {
    write: (line) => void errors.push(JSON.parse(line)),
  });
  return {
    db,
    log,
    secrets: testSecrets,
    http: { of: () => noHttp, close: () => noHttp.close() },
    adapters: new Map([[adapter.id, adapter]]),
    claim: createClaimer(db, 'fast', new Map([[adapter.id, adapter]])),
    media: {
      look: () => Promise.reject(new Error('no files in this test')),
      download: () => Promise.reject(new Error('no files in this test')),
      close: async () => undefined,
    },
    objects: null,
    calls: createPermits(20),
    mediaInFlight: createPermits(4),
    deadlines: createDeadlines(),
    maxInFlightOf: new Map(),
    settle: async (settlement: Settlement) => {
      await settleMessages(db, [settlement]);
    },
    wakeWebhooks: () => undefined,
    wakeGroups: () => undefined,
    receiptWaitMs: 120_000,
    publicUrl: null,
    providerUrls: [],
    random: () => 0,
    errors,
    ...changes,
  };
}

/** One turn of an account. Resolves when everything of it is settled. */
export function dispatchTurn(id: string, deps: TestDeps, stopping: AbortSignal): Promise<void> {
  const { calls: permits, deadlines } = deps;
  return takeWholeTurn(id, dispatchWork(id, deps), { permits, deadlines, stopping });
}
