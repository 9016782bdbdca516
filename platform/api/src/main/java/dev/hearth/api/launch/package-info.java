/** How a launcher gives an application its engine. For launchers, not for applications. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.launch;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
