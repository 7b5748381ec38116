import type { BinaryNode } from '@whiskeysockets/baileys';
import type { LinkedDevice } from '../server/linked-devices.ts';
import { node } from '../server/stanzas.ts';

/**
 * How a session is ended: `conflict` is 440, `device_removed` 401, `removed_without_code` the same in the form that
 * some servers send. A number is sent as the code, such as 403, 500, 503 or 515.
 */
export type Ending = 'conflict' | 'device_removed' | 'removed_without_code' | number;

/** The stanza that ends a session. */
export function streamError(ending: Ending): BinaryNode {
  if (ending === 'conflict') return node('stream:error', {}, [node('conflict', { type: 'replaced' })]);
  if (ending === 'device_removed') {
    return node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })]);
  }
  if (ending === 'removed_without_code')
    return node('stream:error', {}, [node('conflict', { type: 'device_removed' })]);
  return node('stream:error', { code: String(ending) }, []);
}

/** Ends the session of a device, if it has one open. */
export function endSession({ connection }: LinkedDevice, ending: Ending): void {
  connection?.end(String(ending), streamError(ending));
}

/** The phone removes a linked device: its session ends now, and its next login is refused with 401. */
export function removeDevice(device: LinkedDevice): void {
  device.loggedOut = true;
  endSession(device, 'device_removed');
}
