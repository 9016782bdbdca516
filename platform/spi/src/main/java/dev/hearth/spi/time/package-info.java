/** Time as something given, so that every component runs under a simulated clock too. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.time;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
