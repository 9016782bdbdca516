/** How an application finds its code, its engine and its cluster manager. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.application;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
