/** What runs in this process: its bundles, services, settings, logs and threads, for shells and pages. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.kernel;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
