/**
 * State with which a service survives: facts that are kept in order, and the choice of the one process that may add to
 * them. The master of a standalone cluster uses it.
 * <p>A bundle implements {@code FactLogs}, one service for each place that keeps facts: a directory, or other processes.
 * A process stands as a candidate and follows until it leads. It then replays the facts of all leaders before it, and
 * appends its own ones to a {@code FactLog}. Each time of leading has an epoch, a number that only grows, by which others
 * distinguish an old leader from the present one.
 * <p>Threads: listeners are called on a thread of the log, which may block. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.ledger;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
