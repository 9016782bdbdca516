/**
 * Reader of event logs.
 * <p>Implemented in this bundle and used by consumers that show ended applications. A log in progress can be read up to
 * its last complete line. Unknown events, fields and constants are skipped, so an old reader accepts newer logs.
 * <p>Threads: any thread may call; reading blocks on the disk. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.eventlog.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
