/** What a process is for: a bundle provides a role, the kernel runs it. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.role;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
