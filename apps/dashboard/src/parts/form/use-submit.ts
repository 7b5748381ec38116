import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { fieldErrors } from '../../api/failure.ts';

/** The state of a form while it is submitted. */
export interface Submission {
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  readonly isBusy: boolean;
  /** Why the api refused the form. Errors of single fields show at their inputs. */
  readonly error: Error | null;
}

/**
 * Submits a form. Errors of single fields, also the api's, show at their inputs. The first of these gets the focus. `place`
 * finds the inputs of a refusal that names none, such as a taken email address.
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  place: (failure: unknown) => Readonly<Record<string, ReactNode>> | null = () => null,
): Submission {
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(values: Values): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await send(values);
    } catch (failure) {
      const placed = place(failure);
      const errors = placed ?? fieldErrors(failure);
      form.setErrors(errors);
      if (placed === null) setError(failure instanceof Error ? failure : new Error(String(failure)));
      focusFirst(errors);
    } finally {
      setBusy(false);
    }
  }

  function focusFirst(errors: object): void {
    const [first] = Object.keys(errors);
    const node = first === undefined ? null : form.getInputNode(first);
    // Of a group of inputs, the place is that of the group.
    (node?.querySelector('input') ?? node)?.focus();
  }

  return { onSubmit: form.onSubmit((values) => void submit(values), focusFirst), isBusy, error };
}
