// The orders and what became of their messages, in memory. A real shop has two tables in its database.

export function createOrders() {
  const orders = new Map();
  /** By message ID: the events may arrive before the answer of the send, and twice, and out of order. */
  const messages = new Map();

  return {
    add(order) {
      orders.set(order.id, order);
    },
    setMessage(id, messageId) {
      orders.get(id).messageId = messageId;
    },
    /** Stores the newest event of a message. */
    addEvent({ messageId, sequence, status, errorCode }) {
      if ((messages.get(messageId)?.sequence ?? 0) >= sequence) return;
      messages.set(messageId, { sequence, status, errorCode });
    },
    /** An order with the state of its confirmation. If that failed, somebody has to call the customer. */
    find(id) {
      const order = orders.get(id);
      if (order === undefined) return null;
      const { status = 'queued', errorCode = null } = messages.get(order.messageId) ?? {};
      return { ...order, confirmation: status, errorCode, callCustomer: status === 'failed' };
    },
    /** The newest order of a customer. */
    latestOf(phone) {
      return [...orders.values()].findLast((order) => order.phone === phone) ?? null;
    },
  };
}
