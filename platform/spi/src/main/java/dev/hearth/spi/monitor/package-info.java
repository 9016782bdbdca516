/**
 * Monitoring of applications: their events, and the views derived from them.
 * <p>The engine implements {@code RunningApplications} and {@code ApplicationStatus} for applications whose driver runs
 * in this process. The REST API, shell commands and pages call them. Views are immutable records that contain the data
 * of Spark's monitoring API. A bundle that wants the raw events, such as the event log, implements
 * {@code EventSubscriber}.
 * <p>Threads: any thread may call. Listeners run on a listener thread of the application, which may block; a slow
 * listener delays only its own queue. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.monitor;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
