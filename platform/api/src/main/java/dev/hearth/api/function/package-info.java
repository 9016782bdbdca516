/** The interfaces of the functions that applications pass to datasets; serialised to executors. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.function;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
