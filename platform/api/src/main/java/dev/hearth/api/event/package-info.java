/** The events of an application, as records for listeners, event logs and pages. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.event;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
