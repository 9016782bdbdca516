/** Child processes that end with their parent. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.process;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
