/** Accumulators: counters that tasks add to and the driver reads. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.accumulator;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
