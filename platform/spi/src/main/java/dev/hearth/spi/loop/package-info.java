/** One owner for mutable state: an event loop that runs one action at a time. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.loop;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
