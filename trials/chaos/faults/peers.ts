import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayBehaviour, TwilioBehaviour } from '@notify/testkit';
import type { ReceiverBehaviour } from '../../kit/peers/receiver-main.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/** The gateway refuses connections. */
export function gatewayRefuses(forMs: number): Fault {
  return {
    name: `provider refuses connections ${forMs / 1_000} s`,
    groups: ['provider'],
    async run({ gateway }) {
      await gateway.tell('listen', false);
      await wait(forMs);
      await gateway.tell('listen', true);
    },
  };
}

/** Both providers misbehave for this time. */
export function providersBehave(
  name: string,
  forMs: number,
  gateway: GatewayBehaviour,
  twilio: TwilioBehaviour,
): Fault {
  return {
    name,
    groups: ['provider'],
    async run(system) {
      await Promise.all([system.gateway.tell('behave', gateway), system.twilio.tell('behave', twilio)]);
      await wait(forMs);
      const usual = { answer: 'take' };
      await Promise.all([system.gateway.tell('behave', usual), system.twilio.tell('behave', usual)]);
    },
  };
}

/** The gateway and the receiver send `100 Continue` before each answer, although nobody asked. No message may go twice. */
export function unaskedContinues(forMs: number): Fault {
  return {
    name: `gateway and receiver send 100 first ${forMs / 1_000} s`,
    groups: ['provider', 'receiver'],
    async run({ gateway, receiver }) {
      await Promise.all([
        gateway.tell('behave', { answer: 'take', continues: 2 }),
        receiver.tell('behave', 'continue'),
      ]);
      await wait(forMs);
      await Promise.all([gateway.tell('behave', { answer: 'take' }), receiver.tell('behave', 'take')]);
    },
  };
}

/** The webhook receiver of all tenants misbehaves for this time. */
export function receiverBehaves(name: string, behaviour: ReceiverBehaviour, forMs: number): Fault {
  return {
    name: `receiver ${name} ${forMs / 1_000} s`,
    groups: ['receiver'],
    async run({ receiver }) {
      await receiver.tell('behave', behaviour);
      await wait(forMs);
      await receiver.tell('behave', 'take');
    },
  };
}
