/** The names of things that cross rooms and processes. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.id;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
