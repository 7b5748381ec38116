import type { MessageDetails } from '@notify/contract';

/** Why a message does not wait, for the `detail` of a problem. */
export function reasonOf({ direction, status }: MessageDetails): string {
  return direction === 'inbound' ? 'The message was received.' : reasons[status];
}

const reasons: Readonly<Record<MessageDetails['status'], string>> = {
  queued: 'The message is being sent, or an earlier attempt may have delivered it.',
  sent: 'The message has been sent.',
  delivered: 'The message has been delivered.',
  failed: 'The message has failed.',
};
