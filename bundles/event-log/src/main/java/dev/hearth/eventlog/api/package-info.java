/** How logs of events are read again, by whoever shows applications that have ended. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.eventlog.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
