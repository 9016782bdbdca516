/**
 * Metrics of the platform.
 * <p>A module registers a {@code MetricSource} as a service. Consumers, such as shell commands and a future metrics
 * exporter, ask all sources for their samples; a source never pushes them. Sources read existing counters and compute
 * little.
 * <p>Threads: any thread may call a source. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.metrics;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
