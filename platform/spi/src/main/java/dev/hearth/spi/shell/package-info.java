/** Commands for people, here and in other processes. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.shell;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
