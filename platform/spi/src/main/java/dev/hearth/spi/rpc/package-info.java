/**
 * Messages between processes.
 * <p>The module rpc implements {@code RpcEnvFactory} on Netty; the testkit implements the same on a simulated network.
 * A role opens one {@code RpcEnv} and registers endpoints, usually a {@code Receiver} with one handler per message of a
 * {@code Protocol}. Other processes reach an endpoint through a {@code Peer}, which is one connection, or through an
 * {@code EndpointRef} by address, which reconnects by itself ({@code Reconnection}). A message that expects one answer
 * within a timeout is an ask; any other message is a send.
 * <p>Delivery is at most once and in order within a connection. The loss of a peer is reported to every endpoint in its
 * scope. Callers that retry put a request id into the message, so that a duplicate is recognised. A {@code RpcScope}
 * isolates the endpoints, connections and the secret of one application. Records are decoded only after authentication,
 * and only to the types of the protocol.
 * <p>Threads: any thread may send. An endpoint's {@code Dispatch} decides on which thread it runs, one message at a
 * time. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
