import type { CallOptions } from '../config.ts';
import type {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  Deliveries,
  DeliveryDetails,
  Replay,
  ReplayWebhook,
  RequestedDelivery,
  RotatedSecret,
  Webhook,
} from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** Webhooks and their deliveries. Reading takes the scope `webhooks:read`, the rest `webhooks:write`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every webhook. */
  list(options?: CallOptions): Promise<Webhook[]> {
    return this.#transport.call('webhooks.list', {}, options);
  }

  /** Creates a webhook. Only this answer has its `secret`. */
  create(body: CreateWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    return this.#transport.call('webhooks.create', { body }, options);
  }

  /** A webhook by its id. */
  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call('webhooks.get', { path: { id } }, options);
  }

  /** Changes the fields that are given. */
  update(id: string, body: ChangeWebhook = {}, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call('webhooks.update', { path: { id }, body }, options);
  }

  /** Deletes a webhook with its waiting deliveries. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('webhooks.delete', { path: { id } }, options);
  }

  /** Starts deliveries again. `replay` finds what was missed. */
  enable(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call('webhooks.enable', { path: { id } }, options);
  }

  /** Stops deliveries and keeps the webhook. */
  disable(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call('webhooks.disable', { path: { id } }, options);
  }

  /** Makes a new secret. The old one goes on signing for 24 hours, beside it. */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedSecret> {
    return this.#transport.call('webhooks.rotateSecret', { path: { id } }, options);
  }

  /** Sends a `webhook.test` event to the webhook. */
  test(id: string, options?: CallOptions): Promise<RequestedDelivery> {
    return this.#transport.call('webhooks.test', { path: { id } }, options);
  }

  /** Deliveries, newest first. */
  listDeliveries(
    id: string,
    query: Query<'webhooks.listDeliveries'> = {},
    options?: CallOptions,
  ): Pages<Deliveries> {
    return this.#transport.pages('webhooks.listDeliveries', { path: { id }, query }, options);
  }

  /** A delivery with its attempts, or a pack by its `bat_` id. */
  getDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryDetails> {
    return this.#transport.call('webhooks.getDelivery', { path: { id, deliveryId } }, options);
  }

  /** Delivers an event once more, or all of a pack by its `bat_` id. */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<RequestedDelivery> {
    return this.#transport.call('webhooks.retryDelivery', { path: { id, deliveryId } }, options);
  }

  /** Delivers every event since a time that did not get through. */
  replay(id: string, body: ReplayWebhook, options?: CallOptions): Promise<Replay> {
    return this.#transport.call('webhooks.replay', { path: { id }, body }, options);
  }
}
