import { type Received, type Receiver, startReceiver } from '@notify/testkit';

/** An SMS gateway, and the settings of an account that leads to it. */
export interface Gateway extends AsyncDisposable {
  readonly receiver: Receiver;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The secret among the settings of a gateway. */
export const gatewayPassword = 'a secret nobody shows';

/** Settings of an `http-sms` account in the Kannel profile, for a gateway at this address. */
export function kannelSettings(url: string): Readonly<Record<string, unknown>> {
  return { profile: 'kannel', url, username: 'notify', password: gatewayPassword, from: '12345' };
}

/** An address on loopback where nothing listens: the discard port. */
export const nowhere = 'http://127.0.0.1:9/cgi-bin/sendsms';

/** Starts a gateway that accepts every message, as Kannel's sendsms answers it. */
export async function startGateway(): Promise<Gateway> {
  const receiver = await startReceiver();
  receiver.behave({ status: 202, body: '0: Accepted for delivery' });
  return {
    receiver,
    settings: kannelSettings(`${receiver.url}/cgi-bin/sendsms`),
    [Symbol.asyncDispose]: async () => receiver.close(),
  };
}

/** The fields of a request to the gateway. */
export function fieldsOf({ url }: Received): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url, 'http://gateway.invalid').searchParams);
}
