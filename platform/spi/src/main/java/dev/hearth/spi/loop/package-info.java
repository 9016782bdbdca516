/**
 * Event loops: each piece of mutable state belongs to exactly one loop, so it needs no locks.
 * <p>State machines such as the standalone master or the task scheduler are called only by actions of their loop.
 * Messages, timers and completed futures enter as actions. {@code ThreadEventLoop} is the implementation for real
 * processes; the testkit has an implementation on virtual time, which makes runs of whole clusters repeatable.
 * <p>Threads: any thread may submit actions. An action must not block, because all other actions of the loop wait for
 * it. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.loop;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
