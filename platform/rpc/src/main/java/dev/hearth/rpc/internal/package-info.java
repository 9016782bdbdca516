/** The message system of a process on Netty: connections, handshakes, frames, asks, endpoints. Not exported. */
@NullMarked
package dev.hearth.rpc.internal;

import org.jspecify.annotations.NullMarked;
