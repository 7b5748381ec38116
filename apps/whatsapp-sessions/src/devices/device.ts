import { setTimeout as delay } from 'node:timers/promises';
import { takeDefaultOnLink } from '@notify/db/accounts';
import type { PartitionLease } from '@notify/db/ownership';
import type { LinkStep } from '@notify/db/schema';
import { type DeviceRow, findDevice, linkPlace, type Restriction } from '@notify/db/whatsapp';
import type { OwnedConnection } from '@notify/ownership';
import type { Secrets } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { type AuthenticationCreds, initAuthCreds } from '@whiskeysockets/baileys';
import { afterClose, closeLabel, linkingFailure } from '../connection/close-codes.ts';
import { type ConnectionEnd, type ConnectionOptions, runConnection } from '../connection/connection.ts';
import { untilLogin } from '../connection/login-wait.ts';
import type { DeviceSocket } from '../connection/socket.ts';
import { restrictionAfterRefusal, restrictionOf } from '../connection/time-lock.ts';
import { newDataKey, openDataKey } from './data-key.ts';
import type { DeviceDeps } from './device-deps.ts';
import { type DeviceRecords, deviceRecords } from './device-records.ts';
import { type DeviceStore, type DeviceStoreOptions, openCreds, openDeviceStore } from './device-store.ts';

/** How long WhatsApp may be silent beyond the keep-alive interval, in ms. */
const silenceMs = 15_000;
/** A connection that was open for less than this counts as a flap. In ms. */
const steadyMs = 30_000;
/** How long a logout waits for a connection, in ms. After that only the phone can remove the device. */
const logOutWithinMs = 30_000;
const notLoggedOut =
  'WhatsApp did not confirm that this device was removed. If the phone still lists it under linked devices, remove it there.';
/** A pairing code lasts as long as the QR codes it replaces: 60 s and five times 20 s. */
const codeForMs = 160_000;

/** The state of a device whose hold on logins is over. */
const connecting = { status: 'connecting', detail: null } as const;

/** What a device does now. `blocked`: no process may log in with it for now. */
export type DeviceActivity = 'connected' | 'connecting' | 'waiting' | 'linking' | 'blocked' | 'none';

/** A device's current task: to link a phone, or to keep the connection of a linked one. */
interface Task {
  /** The link request; null when the device is linked. */
  readonly request: string | null;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** A device's connection, and the store of its keys and messages. */
export interface Connected {
  readonly socket: DeviceSocket;
  readonly store: DeviceStore;
}

/** One account's device, while this process holds its partition. It does nothing before the first `look`. */
export class Device implements OwnedConnection {
  readonly accountId: string;
  private readonly lease: PartitionLease;
  private readonly deps: DeviceDeps;
  private readonly records: DeviceRecords;
  private task: Task | null = null;
  private current: Connected | null = null;
  /** Why the task has no connection: it waits to reconnect, or it has stopped for good. */
  private idle: 'resting' | 'stopped' | null = null;
  /** The deadline for a connection to log out over, by `performance.now()`, while unlinking. */
  private logOutBy: number | null = null;
  private store: DeviceStore | null = null;
  private isLinking = false;
  private ended = false;
  /** The task has failed and must be started again. */
  private failed = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(accountId: string, lease: PartitionLease, deps: DeviceDeps) {
    this.accountId = accountId;
    this.lease = lease;
    this.deps = deps;
    this.records = deviceRecords(deps.db, lease, accountId, this.lost);
  }

  /** The device's connection, if it is open. */
  get live(): Connected | null {
    return this.current?.socket.isOpen === true ? this.current : null;
  }

  /** What it does now. `none`: no phone is linked, and nobody asks for that. */
  get activity(): DeviceActivity {
    if (this.task === null) return 'none';
    if (this.live !== null) return 'connected';
    if (this.isLinking) return 'linking';
    if (this.idle === 'stopped') return 'blocked';
    return this.idle === 'resting' ? 'waiting' : 'connecting';
  }

  /** Reads the account's row and acts on it. Looks run one after the other and wait for no connection. */
  look(): Promise<void> {
    this.looking = this.looking.catch(() => undefined).then(() => this.lookNow());
    return this.looking;
  }

  /**
   * Call it every few seconds. Restarts a failed task, and cuts a connection on which WhatsApp has been silent for too
   * long.
   */
  async tend(): Promise<void> {
    const { socket } = this.current ?? {};
    if (socket !== undefined && performance.now() - socket.heardAt > this.deps.keepAliveMs + silenceMs)
      socket.cut('frozen');
    if (!this.failed) return;
    this.failed = false;
    await this.look();
  }

  /**
   * WhatsApp has refused a message to a new contact (463). Asks for the end of the restriction, and stops messages to
   * new contacts.
   */
  async restrict(): Promise<void> {
    const lock = await this.current?.socket.askTimeLock().catch(() => null);
    await this.applyRestriction(restrictionAfterRefusal(lock ?? null));
  }

  /** Ends the connection before it returns. */
  cut(): void {
    this.ended = true;
    this.task?.stop.abort();
    this.current?.socket.cut(428);
  }

  /** Ends the connection and waits for its writes. */
  async end(): Promise<void> {
    this.cut();
    await this.task?.done;
  }

  private readonly lost = (): void => this.deps.onLost(this.lease);

  private async lookNow(): Promise<void> {
    if (this.ended) return;
    const row = await findDevice(this.deps.db, this.accountId);
    if (row === null) return this.end();
    if (row.wanted === 'unlink' || row.removed) return this.unlink(row);
    if (row.linked) return this.keepLinked(row);
    if (row.wanted === 'link' && this.task?.request !== row.requests) await this.beginLinking(row);
  }

  private async keepLinked(row: DeviceRow): Promise<void> {
    if (row.wanted === 'link') await this.records.changeLink({ served: row.requests });
    if (this.task !== null || row.creds === null || row.dataKey === null) return;
    const secrets = openDataKey(this.deps.secrets, this.whose(row), row.dataKey);
    const creds = openCreds({ ...this.whose(row), secrets }, row.creds);
    this.begin(null, (signal) => this.keepConnected(creds, this.storeOf(row, secrets), signal));
  }

  private async beginLinking(row: DeviceRow): Promise<void> {
    await this.stopTask();
    const sealed = newDataKey(this.deps.secrets, this.whose(row));
    await this.records.saveDataKey(sealed);
    const store = this.storeOf(row, openDataKey(this.deps.secrets, this.whose(row), sealed));
    this.begin(row.requests, (signal) => this.link(row, store, signal));
  }

  /** Logs out, then forgets the device. Without a connection in time, forgets it without a logout. */
  private async unlink(row: DeviceRow): Promise<void> {
    if (row.wanted === null && !row.linked && this.task === null) return;
    const loggedOut = !row.linked || (await this.logOut());
    if (!loggedOut && this.mayConnect()) return this.hurry(row);
    await this.stopTask();
    await this.forget(loggedOut ? null : notLoggedOut);
    this.logOutBy = null;
    this.deps.log.tell('device-unlinked', { accountId: this.accountId, loggedOut });
  }

  private async logOut(): Promise<boolean> {
    const { live } = this;
    if (live === null) return false;
    this.task?.stop.abort();
    const loggedOut = await live.socket.logOut();
    await this.stopTask();
    return loggedOut;
  }

  private mayConnect(): boolean {
    this.logOutBy ??= performance.now() + logOutWithinMs;
    return this.idle !== 'stopped' && performance.now() < this.logOutBy;
  }

  /** Connects without a rest. The device is looked at again once connected, as it is every few seconds. */
  private async hurry(row: DeviceRow): Promise<void> {
    if (this.idle === null) return this.keepLinked(row);
    await this.stopTask();
    return this.lookNow();
  }

  private begin(request: Task['request'], work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const done = work(stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        this.failed = true;
        this.deps.log.tell('device-failed', { err: error, accountId: this.accountId });
      })
      .finally(() => {
        if (this.task?.stop !== stop) return;
        this.task = null;
        this.idle = null;
      });
    this.task = { request, stop, done };
  }

  private async stopTask(): Promise<void> {
    const { task } = this;
    task?.stop.abort();
    this.current?.socket.cut(428);
    await task?.done;
  }

  private async link(row: DeviceRow, store: DeviceStore, signal: AbortSignal): Promise<void> {
    const creds = initAuthCreds();
    const show = row.wantedPhone === null ? this.showQr(row) : this.showCode(row, row.wantedPhone);
    let wasReached = false;
    const onQr: typeof show = (qr, forMs) => {
      wasReached = true;
      return show(qr, forMs);
    };
    this.isLinking = true;
    const { code } = await this.connect({ creds, store, signal, onQr }).finally(
      () => (this.isLinking = false),
    );
    if (signal.aborted) return;
    if (creds.account === undefined) {
      this.deps.log.tell('device-not-linked', { accountId: this.accountId, code, wasReached });
      const reason = linkingFailure(code, wasReached);
      return this.records.changeLink({ step: 'failed', shown: null, reason, served: row.requests });
    }
    this.deps.log.tell('device-linked', { accountId: this.accountId });
    await takeDefaultOnLink(this.deps.db, this.accountId);
    const phone = phoneOf(creds);
    await this.records.changeLink({ step: 'connected', shown: null, phone, served: row.requests });
    await this.keepConnected(creds, store, signal);
  }

  private showQr(row: DeviceRow): NonNullable<ConnectionOptions['onQr']> {
    return (qr, forMs) => this.show(row, 'display-qr', qr, forMs);
  }

  /** Shows one pairing code instead of all QR codes, to be typed on the phone with that number. */
  private showCode(row: DeviceRow, phone: string): NonNullable<ConnectionOptions['onQr']> {
    let asked = false;
    return async () => {
      if (asked || this.current === null) return;
      asked = true;
      await this.show(row, 'display-code', await this.current.socket.requestCode(phone), codeForMs);
    };
  }

  private async show(row: DeviceRow, step: LinkStep, text: string, forMs: number): Promise<void> {
    const sealed = this.deps.secrets.seal(text, linkPlace(row.tenantId, this.accountId));
    await this.records.changeLink({ step, shown: { sealed, forMs }, reason: null });
  }

  /** Connects again and again, with waits that depend on the close codes. */
  private async keepConnected(
    creds: AuthenticationCreds,
    store: DeviceStore,
    signal: AbortSignal,
  ): Promise<void> {
    const onOpen = (): Promise<void> => this.nowConnected(creds);
    let flaps = 0;
    for (let failures = 1; ; failures += 1) {
      const { refusals, wasHeld } = await untilLogin(this.deps.db, this.accountId, signal, () => {
        this.idle = 'stopped';
      });
      if (signal.aborted) return;
      this.idle = null;
      if (wasHeld) await this.records.tell(connecting);
      const end = await this.connect({ creds, store, signal, onOpen });
      if (signal.aborted) return;
      if (end.wasOpen) [failures, flaps] = [0, end.openMs < steadyMs ? flaps + 1 : 0];
      this.deps.log.tell('device-disconnected', { accountId: this.accountId, code: end.code, failures });
      const next = afterClose(end, { failures, flaps, refusals, now: new Date() }, this.deps.random);
      if (next.kind === 'forget') return this.forget(next.detail);
      if (next.kind === 'hold') {
        await this.records.holdLogins(next.hold);
        continue;
      }
      if (next.state !== null) await this.records.tell(next.state);
      this.idle = 'resting';
      await delay(next.afterMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.idle = null;
    }
  }

  private async applyRestriction(restriction: Restriction): Promise<void> {
    this.deps.log.tell('device-restricted', { accountId: this.accountId, restriction });
    await this.records.restrict(restriction);
    if (restriction.kind === 'lifted') this.deps.onConnected(this.accountId);
  }

  private async nowConnected(creds: AuthenticationCreds): Promise<void> {
    this.deps.log.tell('device-connected', { accountId: this.accountId });
    const phone = phoneOf(creds);
    // Again, because a process may have ended between linking the phone and this.
    await takeDefaultOnLink(this.deps.db, this.accountId);
    await this.records.changeLink({ step: 'connected', shown: null, reason: null, phone, loggedIn: true });
    await this.records.tell({ status: 'connected', detail: null });
    this.deps.onConnected(this.accountId);
  }

  private async connect(
    options: Pick<ConnectionOptions, 'creds' | 'store' | 'signal' | 'onQr' | 'onOpen'>,
  ): Promise<ConnectionEnd> {
    const { accountId, deps } = this;
    try {
      const end = await runConnection(
        {
          ...options,
          accountId,
          onBegun: (socket) => (this.current = { socket, store: options.store }),
          onTimeLock: (lock) => this.applyRestriction(restrictionOf(lock)),
          onReceipts: (receipts) => deps.onReceipts(accountId, receipts),
          onMessage: (message) => deps.onMessage(accountId, message),
        },
        deps,
      );
      metrics.devices.closes.inc({ code: options.signal.aborted ? 'ours' : closeLabel(end.code) });
      return end;
    } finally {
      this.current = null;
    }
  }

  /** Waits for the last write, then removes all stored data of the device. */
  private async forget(detail: string | null): Promise<void> {
    await this.store?.close();
    await this.records.forget(detail);
  }

  private storeOf(row: DeviceRow, secrets: Secrets): DeviceStore {
    const { lease, deps, lost } = this;
    this.store = openDeviceStore({ db: deps.db, lease, ...this.whose(row), secrets, onLost: lost });
    return this.store;
  }

  private whose({ tenantId }: DeviceRow): Pick<DeviceStoreOptions, 'tenantId' | 'accountId'> {
    return { tenantId, accountId: this.accountId };
  }
}

/** The linked number, by its digits. */
function phoneOf({ me }: AuthenticationCreds): string | null {
  return /^\d+/.exec(me?.id ?? '')?.[0] ?? null;
}
