/**
 * RPC between processes, on Netty: the implementation of {@code RpcEnv}. Not exported.
 *
 * <p><b>Terms.</b> An <i>RPC environment</i> ({@link NettyRpcEnv}) is the RPC runtime of a process. It has at most one
 * listening port and one or two I/O threads. A <i>scope</i> is an isolated namespace of an RPC environment: each
 * application has one, with its own secret, endpoints and connections. An <i>endpoint</i> is a named receiver that
 * handles one message at a time. A <i>peer</i> is one connection, from its handshake to its loss; a new connection is a
 * new peer. An <i>endpoint ref</i> addresses an endpoint of a peer: {@code send} has no answer, {@code ask} has one.
 * Both sides of a connection reach each other's endpoints, so only one of them needs a port.
 *
 * <p><b>One port, several lanes.</b> {@code connect.ProtocolDetector} detects the protocol of an accepted connection:
 * TLS, HTTP, or Hearth's own, whose preamble names the lane. The message lane is this package. The bulk lane
 * ({@code bulk}) transfers streams and files on connections and threads of its own, so that large data never delays a
 * message. HTTP ({@code http}) serves pages, REST and events.
 *
 * <p><b>Handshake.</b> Both sides send a preamble with their versions, then the connecting side names a scope. If the
 * scope has a secret, both sides prove it before any message is decoded, under TLS 1.3 unless the network is trusted.
 * The proof covers both certificates, so a man in the middle is detected ({@code security}, ADR 0013).
 *
 * <p><b>From send to receive.</b> {@code codec} encodes the record. The frame (length, kind, ask id, endpoint, record)
 * enters the {@link Outbox}, from which the event loop writes batches. In the remote process, {@link FrameHandler}
 * splits the bytes into frames, and the peer finds the endpoint and decodes the record. The endpoint's
 * {@link Dispatcher} runs the receiver: on a loop of the caller, a shared pool, a thread of its own, or inline.
 * Messages of a peer stay in order, and each is delivered at most once.
 *
 * <p><b>Back-pressure.</b> Every queue is bounded. If an endpoint is full, its asks are refused. For sends,
 * {@link Backlog} stops reading from the peer, so TCP slows the sender down. The sender's outbox then fills; if it
 * exceeds its bound, the sender ends the connection: messages are never dropped one by one.
 *
 * <p><b>Keep-alive.</b> After a third of {@code hearth.rpc.silenceTimeout} without a byte, {@link KeepAlive} sends a
 * ping; after the whole timeout the peer is lost. A process that has paused reading sends pongs without a ping, to show
 * that it is alive.
 *
 * <p><b>States of a connection</b> ({@link ConnectionState}). OPEN: frames flow both ways. CLOSING: the connection is
 * about to close, and new messages are no longer accepted. LOST: the channel is closed. Only {@code NettyPeer.move}
 * changes the state, and the first cause wins.
 *
 * <p><b>A worked loss.</b> A driver runs 200 tasks on an executor whose host loses power.
 * <ol>
 *   <li>No TCP packet announces the loss of power. The driver's asks stay in {@link PendingAsks}; each fails with
 *       {@code ASK_TIMED_OUT} at its own deadline. The operating system buffers sends; later the outbox queues them.
 *   <li>After 20 s of silence {@code KeepAlive} sends a ping, which is not answered.
 *   <li>After 60 s {@code KeepAlive} calls {@code NettyPeer.silenceTimeout}. Each endpoint receives
 *       {@code networkFailed}; the peer moves from OPEN to LOST and closes its channel.
 *   <li>Pending asks fail with {@code PEER_LOST}, as do later asks. The outbox is discarded and later sends are
 *       dropped. Their senders learn of the loss in the next step.
 *   <li>Each endpoint that knows the peer receives {@code peerLost}, after all messages that had arrived before. The
 *       driver removes the executor and runs its tasks elsewhere (ADR 0005).
 *   <li>Refs by address reconnect with back-off. They do not resend: a message sent before the loss may have been
 *       handled. If the executor returns, it is a new peer, which registers again.
 * </ol>
 */
@NullMarked
package dev.hearth.rpc.internal;

import org.jspecify.annotations.NullMarked;
