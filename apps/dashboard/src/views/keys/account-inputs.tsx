import { Checkbox, Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { accountLabel } from '../../parts/account-label.ts';
import type { KeyValues } from './key-values.ts';
import classes from './keys.module.css';

/** Asks for which accounts a key is: all of the tenant, later ones included, or some. */
export function AccountInputs({ form }: { readonly form: UseFormReturnType<KeyValues> }): ReactNode {
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  if (accounts.length === 0) return null;
  return (
    <>
      <Radio.Group
        label="Accounts"
        description="The accounts that the key sends from, and whose messages it sees."
        {...form.getInputProps('accounts')}
      >
        <Stack gap={8} mt={8}>
          <Radio value="all" label="All accounts, also those you connect later" />
          <Radio value="some" label="Only these accounts" />
        </Stack>
      </Radio.Group>
      {form.values.accounts === 'some' && (
        <Checkbox.Group aria-label="Only these accounts" {...form.getInputProps('channelAccountIds')}>
          <div className={classes.accounts}>
            {accounts.map((account) => (
              <Checkbox key={account.id} value={account.id} label={accountLabel(account, accounts)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
