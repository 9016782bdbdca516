/** Settings with their origin, and typed reading that reports all problems at once. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.settings;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
