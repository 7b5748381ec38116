import type { BinaryNode } from '@whiskeysockets/baileys';
import type { LinkedDevice } from './linked-devices.ts';
import { node } from './stanzas.ts';

/**
 * How a session is ended: `conflict` is 440, `device_removed` 401, `removed_without_code` the same as some servers say
 * it; a code as it is, such as 403, 500, 503 or 515.
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

/** Ends the session a device has open, if it has one. */
export function endSession({ connection }: LinkedDevice, ending: Ending): void {
  connection?.end(String(ending), streamError(ending));
}

/** The phone removes a linked device: its session ends now, and its next login is refused with 401. */
export function removeDevice(device: LinkedDevice): void {
  device.loggedOut = true;
  endSession(device, 'device_removed');
}
