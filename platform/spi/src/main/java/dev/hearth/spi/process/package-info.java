/**
 * Child processes of a worker, a local cluster or a shell.
 * <p>The kernel implements {@code ProcessLauncher}; cluster managers call it. Each child is a kernel in another role,
 * for example {@code driver} or {@code executor}. Its launch orders (key-value pairs that say what to run) pass through
 * standard input, so secrets never appear on a command line. A child exits when its standard input ends, and so at the
 * latest when its parent has ended.
 * <p>Threads: starting a process may block on the disk. Exits are reported on any thread. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.process;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
