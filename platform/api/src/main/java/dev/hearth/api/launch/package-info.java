/**
 * Connects an application to the engine that its launcher chose. For launchers, not for applications. Stability:
 * evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.launch;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
