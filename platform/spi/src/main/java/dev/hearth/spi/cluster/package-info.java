/** What a cluster manager implements, and what it may use. Calls arrive on the application's event loop. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.cluster;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
