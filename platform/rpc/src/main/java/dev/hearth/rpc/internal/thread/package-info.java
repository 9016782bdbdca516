/** Threads of the message system. */
@NullMarked
package dev.hearth.rpc.internal.thread;

import org.jspecify.annotations.NullMarked;
