/**
 * What applications do, for those who show it: events as they come, and what they add up to. Providers of views are the
 * engine, for what runs, and whoever reads logs, for what has ended. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.monitor;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
