/** Services that may be replaced while they are used. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.live;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
