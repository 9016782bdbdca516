/**
 * Tests of what every {@code FactLogs} must do, and a listener that records what becomes of a candidacy.
 * <p>Threads: the recorder is thread-safe. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.ledger;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
