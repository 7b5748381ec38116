import type { Outcome } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import type { CloudPeer } from '@notify/testkit';
import type { SendContext, SendRequest } from '../src/adapter/channel.ts';
import type { WhatsappCloudSettings } from '../src/whatsapp-cloud/settings.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { sendRequest } from './conformance/conformance.ts';

/** The guarded client of these tests. It stays open: idle connections keep no process alive. */
export const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });

/** Our id of the message that `send` sends. */
export const id = sendRequest().messageId;

/** The settings of the peer's first number. */
export function settingsOf(peer: CloudPeer): WhatsappCloudSettings {
  return peer.settings() as WhatsappCloudSettings;
}

/** What a call at the peer is given. */
export function context(
  peer: CloudPeer,
  changes: Partial<WhatsappCloudSettings> = {},
): SendContext<WhatsappCloudSettings> {
  const { signal } = new AbortController();
  return { settings: { ...settingsOf(peer), ...changes }, http, baseUrl: peer.url, signal };
}

/** Sends one message by the peer's first number. */
export function send(peer: CloudPeer, changes: Partial<SendRequest> = {}): Promise<Outcome> {
  return whatsappCloud.send(sendRequest(changes), context(peer));
}
