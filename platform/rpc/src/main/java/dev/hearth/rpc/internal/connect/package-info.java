/**
 * Set-up of connections: listening port, host lookup, protocol detection, handshakes. The packages for messages, bulk
 * data and HTTP handle the traffic afterwards. Not exported.
 */
@NullMarked
package dev.hearth.rpc.internal.connect;

import org.jspecify.annotations.NullMarked;
