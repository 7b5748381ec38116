import type { LogEvent } from './event.ts';
import { acceptEvents, apiEvents, mailEvents } from './events/api.ts';
import {
  dispatchEvents,
  inboundEvents,
  maintenanceEvents,
  receiptEvents,
  templateEvents,
  turnEvents,
} from './events/dispatch.ts';
import { linkedDeviceEvents } from './events/linked-devices.ts';
import { ownershipEvents } from './events/ownership.ts';
import { connectionEvents, processEvents, startEvents } from './events/process.ts';
import { webhookEvents } from './events/webhooks.ts';
import type { FieldName, FieldValue } from './fields.ts';

/** Every log line that a process may write, by component. Names and fields are an API: `docs/logs.md`. */
export const logCatalogue = {
  process: processEvents,
  start: startEvents,
  connections: connectionEvents,
  api: apiEvents,
  accept: acceptEvents,
  mail: mailEvents,
  turns: turnEvents,
  dispatch: dispatchEvents,
  receipts: receiptEvents,
  inbound: inboundEvents,
  templates: templateEvents,
  webhooks: webhookEvents,
  ownership: ownershipEvents,
  'linked-devices': linkedDeviceEvents,
  maintenance: maintenanceEvents,
} as const satisfies Readonly<Record<string, Readonly<Record<string, LogEvent>>>>;

type Catalogue = typeof logCatalogue;
/** A part of the service, whose log level can be set by itself. */
export type Component = keyof Catalogue;
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type AllEvents = Together<Catalogue[Component]>;
export type LogEventName = keyof AllEvents;

export const components = Object.keys(logCatalogue) as readonly Component[];

type Required<E> = E extends { readonly fields: readonly (infer N extends FieldName)[] } ? N : never;
type Optional<E> = E extends { readonly optional: readonly (infer N extends FieldName)[] } ? N : never;
/** The fields of an event's lines. */
export type FieldsOf<E extends LogEventName> = {
  readonly [N in Required<AllEvents[E]>]: FieldValue<N>;
} & { readonly [N in Optional<AllEvents[E]>]?: FieldValue<N> | undefined };

/** One event with its place in the catalogue. */
export interface KnownEvent extends LogEvent {
  readonly component: Component;
}

/** All events by name. A name stands in one component only. */
export const knownEvents: ReadonlyMap<string, KnownEvent> = new Map(
  components.flatMap((component) =>
    Object.entries<LogEvent>(logCatalogue[component]).map(([name, event]) => [name, { ...event, component }]),
  ),
);
