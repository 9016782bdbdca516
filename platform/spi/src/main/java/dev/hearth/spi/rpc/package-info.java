/**
 * Messages between processes.
 * <p>The module rpc implements {@code RpcEnvFactory} on Netty; the testkit implements the same on a simulated network.
 * A role opens one {@code RpcEnv} and registers endpoints, usually a {@code Receiver} with one handler per message of a
 * {@code Protocol}. Others reach an endpoint through a {@code Peer}, which is one connection, or through an
 * {@code EndpointRef} by address, which reconnects by itself ({@code Reconnection}).
 * <p>Delivery is at most once and in order within a connection. The loss of a peer is an event of every endpoint in its
 * scope; callers that retry put a request id into the message. A {@code RpcScope} isolates the endpoints, connections
 * and the secret of one application. Records are decoded only after authentication, and only to the types of the
 * protocol.
 * <p>Threads: any thread may send. An endpoint's {@code Dispatch} decides where it runs, one message at a time.
 * Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
