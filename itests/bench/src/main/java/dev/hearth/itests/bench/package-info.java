/** Programs that measure messages and bulk data between two processes, ours and raw Netty's; run by hearth.py and rpc.py. */
@NullMarked
package dev.hearth.itests.bench;

import org.jspecify.annotations.NullMarked;
