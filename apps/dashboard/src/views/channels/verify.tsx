import { Alert } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
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

/** Verifies on request, and verifies a new account by itself. A linked phone needs no check. */
export function useVerification(account: ChannelAccount, linking: boolean): VerificationState {
  const change = useChange('post /v1/channel-accounts/{id}/verify', { refresh });
  const { mutate, reset } = change;
  const verify = (): void => mutate({ path: { id: account.id } });
  const isNew = useIsNew();
  const begun = useRef(false);
  useEffect(() => {
    if (!isNew || linking || begun.current) return;
    begun.current = true;
    mutate({ path: { id: account.id } });
  }, [isNew, linking, mutate, account.id]);
  return { result: change.data, isAsking: change.isPending, error: change.error, verify, clear: reset };
}

/** Whether the reader comes from the form that created the account. */
function useIsNew(): boolean {
  const { state } = useLocation() as { state: { isNew?: boolean } | null };
  return state?.isNew === true;
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
      {result.detail}
      {!result.ok && ' Fix the settings below, then verify again.'}
    </Alert>
  );
}
