import type { OwnedLane } from '@notify/core';
import type { Settings } from './config.ts';

/** The settings of the queue, as its wakers and workers take them. */
interface QueueSettings extends Pick<Settings, 'redisUrl' | 'databaseUrl' | 'databaseSessionUrl'> {
  readonly partitions: number;
  readonly ownedPartitions: Readonly<Record<OwnedLane, number>>;
}

/** The store of the turns and the number of partitions of each lane, from the settings of a process. */
export function queueSettings(
  settings: Pick<
    Settings,
    'redisUrl' | 'databaseUrl' | 'databaseSessionUrl' | 'queuePartitions' | 'whatsappPartitions'
  >,
): QueueSettings {
  const { redisUrl, databaseUrl, databaseSessionUrl, queuePartitions, whatsappPartitions } = settings;
  return {
    redisUrl,
    databaseUrl,
    databaseSessionUrl,
    partitions: queuePartitions,
    ownedPartitions: { 'whatsapp-web': whatsappPartitions },
  };
}
