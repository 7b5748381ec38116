import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { ChannelAccount, Verification } from '../../api/schema.ts';
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx';

/** A check with the provider whether an account's settings work. */
export interface VerificationState {
  readonly result: Verification | undefined;
  readonly isAsking: boolean;
  /** Why the check failed to run. */
  readonly error: Error | null;
  readonly verify: () => void;
  /** Forgets the last result. */
  readonly clear: () => void;
}

const refresh = ['get /v1/channel-accounts', 'get /v1/channel-accounts/{id}'] as const;

/** Verifies on request. */
export function useVerification(account: ChannelAccount): VerificationState {
  const change = useChange('post /v1/channel-accounts/{id}/verify', { refresh });
  const { mutate, reset } = change;
  const verify = (): void => mutate({ path: { id: account.id } });
  return { result: change.data, isAsking: change.isPending, error: change.error, verify, clear: reset };
}

/** The provider's answer, in its own words. */
export function VerifyResult({
  verification: { result, error, isAsking, clear },
  providerName,
}: {
  readonly verification: VerificationState;
  readonly providerName: string;
}): ReactNode {
  if (isAsking) {
    return (
      <Alert color="gray" role="status" title={`Verifying with ${providerName}…`}>
        This takes up to 10 seconds.
      </Alert>
    );
  }
  if (error !== null) {
    return (
      <Alert color="red" role="alert" icon={<WarningIcon />} title="Could not verify">
        {error.message}
      </Alert>
    );
  }
  if (result === undefined) return null;
  return (
    <Alert
      color={result.ok ? 'teal' : 'red'}
      role={result.ok ? 'status' : 'alert'}
      icon={result.ok ? <CheckIcon /> : <WarningIcon />}
      title={result.ok ? 'The settings work' : `${providerName} rejected these settings`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={clear}
    >
      <Text size="sm">{result.detail}</Text>
      {!result.ok && (
        <Text size="sm" mt={4}>
          Fix the settings below, then verify again.
        </Text>
      )}
    </Alert>
  );
}
