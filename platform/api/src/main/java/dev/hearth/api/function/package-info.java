/** The functions an application hands to its datasets; they travel to executors. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.function;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
