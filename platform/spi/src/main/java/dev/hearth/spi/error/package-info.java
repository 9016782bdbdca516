/** What went wrong, in stable codes, and how a process says so when it exits. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.error;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
