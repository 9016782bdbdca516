/**
 * Packages: jars that an application names by coordinates, as group, name and version, and that a resolver provides
 * together with what they depend on.
 * <p>The bundle packages implements {@link dev.hearth.spi.packages.PackageResolver}. A process that starts a driver asks
 * it before the application starts, and only if the application names packages. Threads: a call blocks its thread until
 * all jars are on this machine. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.packages;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
