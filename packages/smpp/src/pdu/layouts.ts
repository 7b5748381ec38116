/**
 * A mandatory field of a PDU's body (SMPP 3.4, 3.1). `text` is a C-octet string, whose `most` octets include the closing NUL.
 * `octets` is the pair of `sm_length` and `short_message`.
 */
export type Field =
  | { readonly name: string; readonly kind: 'integer' }
  | { readonly name: string; readonly kind: 'text'; readonly most: number }
  | { readonly name: string; readonly kind: 'octets' };

const integer = <Name extends string>(name: Name) => ({ name, kind: 'integer' }) as const;
const text = <Name extends string>(name: Name, most: number) => ({ name, kind: 'text', most }) as const;
const octets = <Name extends string>(name: Name) => ({ name, kind: 'octets' }) as const;

const bind = [
  text('systemId', 16),
  text('password', 9),
  text('systemType', 13),
  integer('interfaceVersion'),
  integer('addrTon'),
  integer('addrNpi'),
  text('addressRange', 41),
] as const;
const bound = [text('systemId', 16)] as const;
const message = [
  text('serviceType', 6),
  integer('sourceAddrTon'),
  integer('sourceAddrNpi'),
  text('sourceAddr', 21),
  integer('destAddrTon'),
  integer('destAddrNpi'),
  text('destinationAddr', 21),
  integer('esmClass'),
  integer('protocolId'),
  integer('priorityFlag'),
  text('scheduleDeliveryTime', 17),
  text('validityPeriod', 17),
  integer('registeredDelivery'),
  integer('replaceIfPresentFlag'),
  integer('dataCoding'),
  integer('smDefaultMsgId'),
  octets('shortMessage'),
] as const;
const messageId = text('messageId', 65);

/**
 * The commands that an ESME sends or receives, each with the mandatory fields of its body in their order (SMPP 3.4, chapter 4).
 * `submit_multi` is left out: nothing here sends to lists.
 */
export const layouts = {
  generic_nack: [],
  bind_receiver: bind,
  bind_receiver_resp: bound,
  bind_transmitter: bind,
  bind_transmitter_resp: bound,
  query_sm: [messageId, integer('sourceAddrTon'), integer('sourceAddrNpi'), text('sourceAddr', 21)],
  query_sm_resp: [messageId, text('finalDate', 17), integer('messageState'), integer('errorCode')],
  submit_sm: message,
  submit_sm_resp: [messageId],
  deliver_sm: message,
  deliver_sm_resp: [messageId],
  unbind: [],
  unbind_resp: [],
  replace_sm: [
    messageId,
    integer('sourceAddrTon'),
    integer('sourceAddrNpi'),
    text('sourceAddr', 21),
    text('scheduleDeliveryTime', 17),
    text('validityPeriod', 17),
    integer('registeredDelivery'),
    integer('smDefaultMsgId'),
    octets('shortMessage'),
  ],
  replace_sm_resp: [],
  cancel_sm: [
    text('serviceType', 6),
    messageId,
    integer('sourceAddrTon'),
    integer('sourceAddrNpi'),
    text('sourceAddr', 21),
    integer('destAddrTon'),
    integer('destAddrNpi'),
    text('destinationAddr', 21),
  ],
  cancel_sm_resp: [],
  bind_transceiver: bind,
  bind_transceiver_resp: bound,
  outbind: [text('systemId', 16), text('password', 9)],
  enquire_link: [],
  enquire_link_resp: [],
  alert_notification: [
    integer('sourceAddrTon'),
    integer('sourceAddrNpi'),
    text('sourceAddr', 65),
    integer('esmeAddrTon'),
    integer('esmeAddrNpi'),
    text('esmeAddr', 65),
  ],
  data_sm: [
    text('serviceType', 6),
    integer('sourceAddrTon'),
    integer('sourceAddrNpi'),
    text('sourceAddr', 65),
    integer('destAddrTon'),
    integer('destAddrNpi'),
    text('destinationAddr', 65),
    integer('esmClass'),
    integer('registeredDelivery'),
    integer('dataCoding'),
  ],
  data_sm_resp: [messageId],
} as const satisfies Readonly<Record<string, readonly Field[]>>;

/** The name of a command, as the specification writes it. */
export type Command = keyof typeof layouts;

/** `command_id` of each command (SMPP 3.4, 5.1.2.1). That of a response has the highest bit. */
export const commandIds: Readonly<Record<Command, number>> = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  query_sm: 0x00000003,
  query_sm_resp: 0x80000003,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  replace_sm: 0x00000007,
  replace_sm_resp: 0x80000007,
  cancel_sm: 0x00000008,
  cancel_sm_resp: 0x80000008,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
};

const commands: ReadonlyMap<number, Command> = new Map(
  Object.entries(commandIds).map(([command, id]) => [id, command as Command]),
);

/** The command with this id; undefined for one that is not known. */
export function commandOf(id: number): Command | undefined {
  return commands.get(id);
}

/** Whether the id is that of a response. */
export function isResponse(id: number): boolean {
  return id >= 0x80000000;
}
