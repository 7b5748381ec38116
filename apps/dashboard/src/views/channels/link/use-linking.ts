import { useChange } from '../../../api/hooks.ts';
import type { Failure } from '../../../api/failure.ts';

/** The actions on an account's link. The stream reports their results. */
export interface Linking {
  /**
   * Starts linking, or starts it again: by QR code, or by a code for that phone. Resolves to whether the api accepted
   * it.
   */
  readonly begin: (phone?: string) => Promise<boolean>;
  /** Ends linking, or logs the linked device out. */
  readonly end: () => void;
  readonly isBusy: boolean;
  readonly isEnding: boolean;
  /** Why the last action failed. */
  readonly failure: Failure | null;
}

const refresh = ['get /v1/channel-accounts', 'get /v1/channel-accounts/{id}'] as const;

/** Begins and ends the linking of one account. */
export function useLinking(id: string): Linking {
  const link = useChange('post /v1/channel-accounts/{id}/link', { refresh });
  const unlink = useChange('post /v1/channel-accounts/{id}/unlink', { refresh });
  return {
    async begin(phone) {
      const body = phone === undefined ? {} : { phone };
      return link.mutateAsync({ path: { id }, body }).then(
        () => true,
        () => false,
      );
    },
    end: () => unlink.mutate({ path: { id } }),
    isBusy: link.isPending,
    isEnding: unlink.isPending,
    failure: link.error ?? unlink.error,
  };
}
