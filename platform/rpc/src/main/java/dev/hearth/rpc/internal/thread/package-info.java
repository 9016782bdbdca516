/** Creation of the threads of the RPC module. */
@NullMarked
package dev.hearth.rpc.internal.thread;

import org.jspecify.annotations.NullMarked;
