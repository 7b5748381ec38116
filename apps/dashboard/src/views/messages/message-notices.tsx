import { Alert, Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MessageHistory } from '../../api/schema.ts';
import { InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { failureAdvice } from './failure-advice.ts';

/** Above a message: why it failed and advice, whether it may have arrived twice, and its related messages. */
export function MessageNotices({ message }: { readonly message: MessageHistory }): ReactNode {
  const { status, error, errorCode, possibleDuplicate, resendOf, resentAs } = message;
  return (
    <>
      {status === 'failed' && (
        <Alert color="red" icon={<WarningIcon />} title={`Failed: ${errorCode ?? 'no error code'}`}>
          {error !== null && <Text size="sm">{error}</Text>}
          <Text size="sm">{failureAdvice(errorCode)}</Text>
        </Alert>
      )}
      {possibleDuplicate && (
        <Alert color="orange" icon={<WarningIcon />} title="Possible duplicate">
          An attempt got no response, and the account is set to resend in that case. The message may have
          arrived twice.
        </Alert>
      )}
      {resendOf !== null && <Related id={resendOf}>This message is a resend of a failed one.</Related>}
      {resentAs !== null && <Related id={resentAs}>This message was resent.</Related>}
    </>
  );
}

function Related({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  return (
    <Alert color="gray" icon={<InfoIcon />}>
      {children}{' '}
      <Anchor component={Link} to={`/messages/${id}`} inherit>
        View message
      </Anchor>
    </Alert>
  );
}
