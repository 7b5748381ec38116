/**
 * When a conversation counts as two programs that answer each other, and how its sends are spread out then.
 *
 * `each`: messages in each direction within `windowMs`. A person who taps through the menu of a bot sends one every three
 * seconds at most, and not for a whole minute. Two programs need a second or less a turn.
 *
 * `spacingMs`: the wait between two sends. At that pace a forgotten loop costs two messages a minute, and a person who
 * was taken for a program still gets every answer.
 *
 * `slowForMs`: how long sends stay spread out after the last such minute. Long enough that a loop spends most of its time
 * slowed: 40 messages in 10 minutes instead of thousands.
 */
export const loopGuard = { each: 20, windowMs: 60_000, spacingMs: 30_000, slowForMs: 600_000 } as const;
