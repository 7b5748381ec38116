import { type ServiceHere, startServiceHere } from '@notify/testkit';
import { openWorkshop, type Workshop } from './run-sample.ts';

/** What the samples of a test file meet. Usable in its tests. */
export interface World {
  /** The address of the service. */
  readonly url: string;
  readonly workshop: Workshop;
}

/** Starts a service and a workshop before the tests of the file, and ends both after them. `env` changes the service. */
export function openWorld(env: Readonly<Record<string, string>> = {}): World {
  let service: ServiceHere;
  let workshop: Workshop;
  beforeAll(async () => {
    [service, workshop] = await Promise.all([
      startServiceHere({ env: { LOGIN_ATTEMPTS_PER_ADDRESS: '1000', BCRYPT_COST: '4', ...env } }),
      openWorkshop(),
    ]);
  });
  afterAll(async () => {
    await service?.stop();
    await workshop?.[Symbol.asyncDispose]();
  });
  return {
    get url() {
      return service.url;
    },
    get workshop() {
      return workshop;
    },
  };
}
