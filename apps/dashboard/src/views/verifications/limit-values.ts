import type { ChangeVerificationLimits, VerificationLimits } from '@notify/sdk';

/** A prefix in the form. An empty limit means the default. */
export interface PrefixValues {
  readonly prefix: string;
  readonly startsPerHour: number | string;
  readonly guarded: boolean;
}

/** The values of the form. A type, because forms take types only. */
export type LimitValues = {
  startsPerHour: number | string;
  prefixes: PrefixValues[];
};

/** The limits as the form shows them. */
export function toValues({ startsPerHour, prefixes }: VerificationLimits): LimitValues {
  return {
    startsPerHour,
    prefixes: prefixes.map((one) => ({
      prefix: one.prefix,
      startsPerHour: one.startsPerHour ?? '',
      guarded: one.guarded,
    })),
  };
}

/** The request that the values ask for. `release`: the prefix whose hold it ends. */
export function toBody(
  { startsPerHour, prefixes }: LimitValues,
  release: string | null = null,
): ChangeVerificationLimits {
  return {
    ...(startsPerHour === '' ? {} : { startsPerHour: Number(startsPerHour) }),
    prefixes: prefixes.map((one) => ({
      prefix: one.prefix.trim(),
      startsPerHour: one.startsPerHour === '' ? null : Number(one.startsPerHour),
      guarded: one.guarded,
      ...(one.prefix === release ? { held: false as const } : {}),
    })),
  };
}
