import { type ProcessName, processNames } from '@notify/core';
import { claimPort } from '@notify/embedded';
import type { StartSettings } from './config.ts';

/** Where the processes serve health checks and metrics. */
export interface HealthPlaces {
  readonly host: string;
  readonly ports: Readonly<Record<ProcessName, number>>;
}

/** The others follow it, up to the highest port of TCP. */
const highestFirst = 65_535 - (processNames.length - 1);
const settingNames = { host: 'HEALTH_HOST', port: 'HEALTH_PORT' };

/**
 * Chooses HEALTH_PORT and the ports after it, or free ones if it is not set. The host is this machine's own address unless
 * HEALTH_HOST is set. Throws a one-line error if a port is in use, is the api's public port, or is none.
 */
export async function claimHealthPorts(
  { healthHost, healthPort }: Pick<StartSettings, 'healthHost' | 'healthPort'>,
  publicPort: number,
): Promise<HealthPlaces> {
  const host = healthHost ?? '127.0.0.1';
  if ((healthPort ?? 0) > highestFirst)
    throw new Error(
      `HEALTH_PORT: at most ${highestFirst} here, because the other processes use the ports after it`,
    );
  const claim = async (name: ProcessName): Promise<[ProcessName, number]> => {
    const wanted = healthPort ? healthPort + processNames.indexOf(name) : 0;
    if (wanted === publicPort)
      throw new Error(`port ${wanted} cannot serve both PORT and HEALTH_PORT: change one of them`);
    return [name, await claimPort(host, wanted, settingNames)];
  };
  const ports = Object.fromEntries(await Promise.all(processNames.map(claim)));
  return { host, ports: ports as Record<ProcessName, number> };
}
