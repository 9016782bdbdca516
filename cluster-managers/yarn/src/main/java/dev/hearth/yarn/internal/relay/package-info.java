/**
 * The line of a driver in client mode to YARN: a process in a container, the <i>relay</i>, is the application master, and does
 * what the driver orders. The driver has the allocator, so that a relay that dies takes nothing with it but its connection.
 *
 * <p>The relay connects to the driver. Each side numbers what the other must not miss, and keeps it until it is acknowledged
 * ({@link dev.hearth.yarn.internal.relay.UnacknowledgedMessages}, {@link dev.hearth.yarn.internal.relay.ReceivedNumbers}). A new connection begins
 * with an exchange of the last numbers that arrived; then both repeat the rest. So a report about a granted container, or an
 * order to start a process, survives each broken connection, and none counts twice.
 *
 * <p>A relay has no memory of an earlier one. When YARN starts it again, its attempt has a greater number, and both sides
 * begin to count from 1. The driver's {@link dev.hearth.yarn.internal.relay.RelayLine} reports {@code replaced} to its
 * owner, with the containers that YARN has kept. An older relay that still talks is ignored.
 *
 * <p>A worked failure. The driver's machine pauses for a minute. The connection stays, the relay goes on to beat, and its
 * reports wait. If the driver has died instead, the connection breaks, and the relay ends the application as FAILED when no
 * driver has answered for {@code hearth.yarn.am.driverTimeout}.
 */
@NullMarked
package dev.hearth.yarn.internal.relay;

import org.jspecify.annotations.NullMarked;
