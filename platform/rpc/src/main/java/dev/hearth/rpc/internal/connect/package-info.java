/** How connections come about: ports, attempts, first bytes, handshakes. What flows afterwards is the lanes'. Not exported. */
@NullMarked
package dev.hearth.rpc.internal.connect;

import org.jspecify.annotations.NullMarked;
