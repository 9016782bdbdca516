/**
 * Ids that modules and processes exchange.
 * <p>Cluster managers create the ids of applications, submissions and executors; all other modules pass them on. Each
 * is a record, so protocols can send it as a message component. All ids obey one syntax, which makes them safe in
 * paths, URLs and log lines.
 * <p>Threads: all ids are immutable. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.id;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
