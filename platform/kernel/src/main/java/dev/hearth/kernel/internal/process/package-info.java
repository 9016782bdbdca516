/**
 * Child processes, their orders, their output and their work directories. Internal.
 * <p>The output of a child passes through a pipe to this process, which writes bounded files. Redirection to a file
 * cannot bound it: truncating the file of a running writer loses what is written between the copy and the truncation,
 * and the size between two checks has no bound. What a killed child has printed is in the pipe and is written. If this
 * process is killed, the last 64 KiB of the pipe are lost, and the child, which ends then, does not block.
 */
@NullMarked
package dev.hearth.kernel.internal.process;

import org.jspecify.annotations.NullMarked;
