import { createHmac } from 'node:crypto';
import { callOnce, callUntilTaken } from '../deliver.ts';
import { Switch } from '../switch.ts';
import { CloudError, titleOf } from './whatsapp-cloud-errors.ts';
import { CloudFiles } from './whatsapp-cloud-inbound.ts';
import { type CloudMessage, messageValidator, recipientOf } from './whatsapp-cloud-schema.ts';
import {
  businessAccountId,
  type CloudTemplate,
  defaultTemplates,
  templateCallback,
} from './whatsapp-cloud-templates.ts';
import type { CloudTold } from './whatsapp-cloud-told.ts';
import type { CloudUpload } from './whatsapp-cloud-upload.ts';

/** The statuses that Meta reports for a message. */
export type CloudStatus = 'sent' | 'delivered' | 'read' | 'failed';

export interface CloudBehaviour {
  /**
   * How messages are answered; by default they are taken. `hang` and `reset` take them, but do not answer or break off.
   */
  readonly answer?: 'take' | 'hang' | 'reset' | { readonly error: number };
  /** How uploads are answered. */
  readonly upload?: 'take' | { readonly error: number };
  /** How a page of the templates is answered; `document` is sent as the page. */
  readonly list?: 'take' | 'hang' | 'reset' | { readonly error: number } | { readonly document: unknown };
  /** The number of requests this applies to; then all is as usual again. Default: until told otherwise. */
  readonly times?: number;
  /** The callbacks for each message taken, each with one or more statuses. Default `[['sent'], ['delivered']]`. */
  readonly reports?: readonly (readonly CloudStatus[])[];
  /** The error code of a `failed` status. Default 131026. */
  readonly reportedError?: number;
  readonly retryAfter?: string;
  /**
   * The numbers by which WhatsApp knows people, by the number that a request asks for: the `wa_id` of the answer and the
   * `recipient_id` of its statuses. By default the same.
   */
  readonly waIds?: Readonly<Record<string, string>>;
}

/** A message as Meta knows it. */
export interface CloudLedgerEntry {
  /** The request's `biz_opaque_callback_data`. */
  readonly id: string;
  readonly to: string;
  readonly phoneNumberId: string;
  /** The last request, unchanged. */
  readonly message: CloudMessage;
  /** Meta's ids of the message. More than one is a duplicate at the recipient. */
  readonly wamids: readonly string[];
  readonly asked: number;
  /** Callbacks that our side answered with 2xx. */
  readonly reported: number;
}

export interface CloudPeerOptions {
  readonly port?: number;
  /** The ids of the app's numbers. */
  readonly phoneNumberIds?: readonly string[];
  /**
   * Messages a second per number. `pairBurst` is how many messages one recipient may get at once before the limit is
   * one in 6 s.
   */
  readonly perSecond?: number;
  readonly pairBurst?: number;
}

/** How long Meta waits for the answer to a callback, in ms. */
const patienceMs = 10_000;

/** The app's credentials at every peer. */
export const accessToken = 'EAAPeerAccessToken';
export const appSecret = 'peer-app-secret';
/** The id of the app's only number, unless it is given others. */
export const usualNumber = '106540352242922';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The peer's state, and the callbacks it sends. */
export class CloudState {
  readonly numbers: readonly string[];
  readonly perSecond: number;
  readonly pairBurst: number;
  readonly messages = new Map<string, Writable<CloudLedgerEntry>>();
  readonly uploads = new Map<string, CloudUpload>();
  readonly closed = new Set<string>();
  /** The numbers that people's messages went to, by Meta's id of the message. */
  readonly written = new Map<string, string>();
  readonly told: CloudTold[] = [];
  templates: readonly CloudTemplate[] = defaultTemplates;
  readonly files = new CloudFiles();
  readonly rates = new Rates();
  callbackUrl: string | null = null;
  current: CloudBehaviour = {};
  private readonly behaviour = new Switch<CloudBehaviour>();
  private given = 0;
  private readonly validate = messageValidator();
  private readonly waiting = new Set<() => void>();

  constructor({ phoneNumberIds, perSecond, pairBurst }: CloudPeerOptions) {
    this.numbers = phoneNumberIds ?? [usualNumber];
    this.perSecond = perSecond ?? 80;
    this.pairBurst = pairBurst ?? 45;
  }

  behave(behaviour: CloudBehaviour): void {
    this.behaviour.set(behaviour);
  }

  /** The behaviour for this request. */
  next(): CloudBehaviour {
    this.current = this.behaviour.next();
    return this.current;
  }

  read(body: unknown): CloudMessage {
    if (this.validate(body)) return body;
    const [error] = this.validate.errors ?? [];
    throw new CloudError(100, `${error?.instancePath} ${error?.message}`);
  }

  /** Records a request. */
  ask(phoneNumberId: string, message: CloudMessage): Writable<CloudLedgerEntry> {
    const id = message.biz_opaque_callback_data ?? '';
    const known = this.messages.get(id);
    const entry = known ?? {
      id,
      to: recipientOf(message),
      phoneNumberId,
      message,
      wamids: [],
      asked: 0,
      reported: 0,
    };
    Object.assign(entry, { message, asked: entry.asked + 1 });
    this.messages.set(id, entry);
    this.changed();
    return entry;
  }

  take(entry: Writable<CloudLedgerEntry>): string {
    this.given += 1;
    const wamid = `wamid.${Buffer.from(`${entry.to} ${this.given}`).toString('base64')}`;
    entry.wamids = [...entry.wamids, wamid];
    this.changed();
    return wamid;
  }

  /**
   * Sends the callbacks that the behaviour sets. Outside the 24 hours it also takes a message, but then reports that it
   * failed, unless it is a template.
   */
  async report(entry: Writable<CloudLedgerEntry>, wamid: string, behaviour: CloudBehaviour): Promise<void> {
    const outside = this.closed.has(digits(entry.to)) && entry.message.type !== 'template';
    const { reports = [['sent'], ['delivered']], reportedError = 131026 } = behaviour;
    const error = outside ? 131047 : reportedError;
    for (const statuses of outside ? [['failed'] as const] : reports) {
      const waId = waIdOf(entry.to, behaviour);
      const documents = statuses.map((status) =>
        statusDocument({ ...entry, to: waId }, wamid, status, error),
      );
      const status = await this.callUntilTaken(
        JSON.stringify(callbackDocument(entry.phoneNumberId, documents)),
      );
      if (status < 300) entry.reported += 1;
      this.changed();
    }
  }

  /** Enters a callback URL after it has answered the challenge. */
  async subscribe(callbackUrl: string, verifyToken: string): Promise<boolean> {
    const url = new URL(callbackUrl);
    const challenge = '1158201444';
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answered = await fetch(url);
    const taken = answered.status === 200 && (await answered.text()) === challenge;
    if (taken) this.callbackUrl = callbackUrl;
    return taken;
  }

  async call(body: string): Promise<number> {
    if (this.callbackUrl === null) return 0;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body) };
    const { status } = await callOnce(this.callbackUrl, { method: 'POST', headers, body }, patienceMs);
    return status === 599 ? 0 : status;
  }

  /** Gives all languages of a template the status that an event leads to, and tells it of the first in a callback. */
  async changeTemplate(
    name: string,
    event: string,
    more: Readonly<Record<string, unknown>>,
  ): Promise<number> {
    const found = this.templates.find((template) => template.name === name);
    if (found === undefined) throw new Error(`the peer has no template ${name}`);
    const status = ['FLAGGED', 'REINSTATED'].includes(event) ? 'APPROVED' : event;
    this.templates = this.templates.map((one) => (one.name === name ? { ...one, status } : one));
    return this.call(templateCallback(found, event, more));
  }

  when(condition: (ledger: readonly CloudLedgerEntry[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition([...this.messages.values()])) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Repeats a callback until it is accepted, for a few seconds. Meta tries for days. Returns the last status. */
  async callUntilTaken(body: string): Promise<number> {
    const answered = await callUntilTaken(async () => {
      if (this.callbackUrl === null) return { status: 599, type: '', body: '' };
      return { status: (await this.call(body)) || 599, type: '', body: '' };
    });
    return answered.status;
  }

  private changed(): void {
    for (const look of this.waiting) look();
  }
}

/** Token buckets. */
class Rates {
  private readonly buckets = new Map<string, { left: number; at: number }>();

  take(name: string, burst: number, perSecond: number): boolean {
    const now = performance.now();
    const { left, at } = this.buckets.get(name) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + ((now - at) / 1_000) * perSecond);
    this.buckets.set(name, { left: filled < 1 ? filled : filled - 1, at: now });
    return filled >= 1;
  }
}

function statusDocument(entry: CloudLedgerEntry, wamid: string, status: CloudStatus, code: number): object {
  const title = titleOf(code);
  return {
    id: wamid,
    status,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    recipient_id: digits(entry.to),
    ...(entry.id === '' ? {} : { biz_opaque_callback_data: entry.id }),
    ...(status === 'failed'
      ? { errors: [{ code, title, message: title, error_data: { details: 'As the peer was told.' } }] }
      : { pricing: { billable: true, pricing_model: 'PMP', category: 'service' } }),
  };
}

/** The document of a callback with statuses. */
export function callbackDocument(phoneNumberId: string, statuses: readonly object[]): object {
  const metadata = { display_phone_number: '15550109999', phone_number_id: phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, statuses };
  const entry = [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }];
  return { object: 'whatsapp_business_account', entry };
}

/** How Meta signs a callback. */
export function signatureOf(body: string | Buffer): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}

/** The number by which WhatsApp knows the person of a number. */
export function waIdOf(to: string, { waIds = {} }: CloudBehaviour): string {
  return waIds[digits(to)] ?? digits(to);
}

/** A recipient as Meta writes it. */
export function digits(to: string): string {
  return to.replace(/\D/g, '');
}
