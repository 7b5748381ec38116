import { Alert, Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MessageHistory } from '../../api/schema.ts';
import { InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { failureAdvice } from './failure-advice.ts';

/** Above a message: why it failed and what to do, that it may have arrived twice, and what it belongs together with. */
export function MessageNotices({ message }: { readonly message: MessageHistory }): ReactNode {
  const { status, error, errorCode, possibleDuplicate, resendOf, resentAs } = message;
  return (
    <>
      {status === 'failed' && (
        <Alert color="red" icon={<WarningIcon />} title={`Failed: ${errorCode ?? 'without a code'}`}>
          {error !== null && <Text size="sm">{error}</Text>}
          <Text size="sm">{failureAdvice(errorCode)}</Text>
        </Alert>
      )}
      {possibleDuplicate && (
        <Alert color="orange" icon={<WarningIcon />} title="It may have arrived twice">
          An attempt ended without an answer, and the account’s settings say to send again then. Nobody knows
          whether the first one arrived.
        </Alert>
      )}
      {resendOf !== null && (
        <Related id={resendOf}>This message was sent in the place of one that failed.</Related>
      )}
      {resentAs !== null && <Related id={resentAs}>It was sent again, as another message.</Related>}
    </>
  );
}

function Related({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  return (
    <Alert color="gray" icon={<InfoIcon />}>
      {children}{' '}
      <Anchor component={Link} to={`/messages/${id}`} inherit>
        Look at it
      </Anchor>
    </Alert>
  );
}
