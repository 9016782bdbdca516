/**
 * Shell commands, run in this process or in other processes.
 * <p>The Apache Felix Gogo shell implements {@code CommandRunner}. The bundle remote-shell implements
 * {@code RemoteCommands} and lets other processes use the {@code CommandRunner} of every process that listens. Roles
 * such as {@code shell} and {@code exec} call both.
 * <p>Threads: any thread may call. Calls block until the command has ended, so never call them on an event loop.
 * Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.shell;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
