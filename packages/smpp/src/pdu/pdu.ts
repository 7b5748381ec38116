import type { Command, layouts } from './layouts.ts';

/** An optional parameter (SMPP 3.4, 3.2.4.1). */
export interface Tlv {
  readonly tag: number;
  readonly value: Buffer;
}

type ValueOf<Kind> = Kind extends 'integer' ? number : Kind extends 'text' ? string : Buffer;

/**
 * The mandatory fields of a command by their names in the specification, written in camel case. Texts hold one character per octet.
 */
export type Fields<Name extends Command> = {
  readonly [Each in (typeof layouts)[Name][number] as Each['name']]: ValueOf<Each['kind']>;
};

/** A PDU without its sequence number: what a request or a response says. */
export type PduContent<Name extends Command = Command> = {
  readonly [Each in Name]: {
    readonly command: Each;
    /** `command_status`: 0 in requests. */
    readonly status: number;
    readonly fields: Fields<Each>;
    /** In the order of the wire, those with unknown tags included. */
    readonly tlvs: readonly Tlv[];
  };
}[Name];

export type Pdu<Name extends Command = Command> = PduContent<Name> & { readonly sequence: number };

/** The header of a PDU (SMPP 3.4, 3.2), without its length. */
export interface Header {
  readonly commandId: number;
  readonly status: number;
  readonly sequence: number;
}

/** Octets of a header with its length. */
export const headerBytes = 16;

/** The highest sequence number (SMPP 3.4, 5.1.4). The first is 1. */
export const maxSequence = 0x7fffffff;
