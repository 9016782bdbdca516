/**
 * Event loops: each piece of mutable state has exactly one owner, and the owner is a loop.
 * <p>State machines such as the standalone master or the task scheduler are called only by actions of their loop, so
 * they need no locks. Messages, timers and completed futures enter as actions. {@code ThreadEventLoop} is the
 * implementation for real processes; the testkit has one on virtual time, which makes runs of whole clusters
 * repeatable.
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
