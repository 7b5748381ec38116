import { type ProcessName, processNames } from '@notify/core';
import { claimPort } from '@notify/embedded';

/** The api has the port that debuggers try by themselves. */
const inOrder: readonly ProcessName[] = ['api', ...processNames.filter((name) => name !== 'api')];

/**
 * The ports of the inspectors on loopback: `first` for the api and the next ones for the others, or free ones for 0.
 * Throws a one-line error if one is in use.
 */
export async function claimInspectPorts(first: number): Promise<Readonly<Record<ProcessName, number>>> {
  const claim = async (name: ProcessName, index: number): Promise<[ProcessName, number]> => [
    name,
    await claimPort('127.0.0.1', first === 0 ? 0 : first + index, { host: 'HOST', port: '--inspect-port' }),
  ];
  return Object.fromEntries(await Promise.all(inOrder.map(claim))) as Record<ProcessName, number>;
}
