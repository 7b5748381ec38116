import { Alert, Anchor, Skeleton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx';
import { InfoIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { isWide, type Kind } from './kinds.ts';
import { type Dialog, SendForm } from './send-form.tsx';
import type { Start } from './values.ts';

/**
 * Asks for an account, a recipient and a text, a file, buttons or a list, or a template, sends it, and opens the message's page. Mounted
 * only while it is open. With `start` it opens with that template.
 */
export function SendTest({
  onClose,
  start,
}: {
  readonly onClose: () => void;
  readonly start?: Start;
}): ReactNode {
  const [kind, setKind] = useState<Kind>(start === undefined ? 'text' : 'template');
  return (
    <FormDialog title="Send test message" size={isWide(kind) ? 'xl' : 'md'} onClose={onClose}>
      {(cancel) => <Accounts kind={kind} onKind={setKind} start={start} onSent={onClose} onCancel={cancel} />}
    </FormDialog>
  );
}

function Accounts(dialog: Dialog): ReactNode {
  const accounts = useRead('get /v1/channel-accounts');
  const providers = useRead('get /v1/providers');
  const skeleton = <Skeleton height={360} />;
  return (
    <Loaded query={accounts} what="the accounts" skeleton={skeleton}>
      {(list) =>
        list.length === 0 ? (
          <NoAccount />
        ) : (
          <Loaded query={providers} what="the providers" skeleton={skeleton}>
            {(all) => <SendForm accounts={list} providers={all} {...dialog} />}
          </Loaded>
        )
      }
    </Loaded>
  );
}

function NoAccount(): ReactNode {
  return (
    <Alert icon={<InfoIcon />} title="No account connected">
      Messages are sent from a connected account.{' '}
      <Anchor component={Link} to="/channels" inherit>
        Connect one
      </Anchor>{' '}
      first. The sandbox needs no provider.
    </Alert>
  );
}
