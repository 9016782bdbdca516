/** Numbers that rooms offer to whoever collects them. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.metrics;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
