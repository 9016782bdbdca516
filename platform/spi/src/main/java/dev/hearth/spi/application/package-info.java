/**
 * Code and driver-side lifecycle of an application.
 * <p>The kernel implements {@code ApplicationLoaders}: class loaders that isolate each application from the platform
 * and from other applications. Embedded mode has its own implementation without isolation. The engine implements
 * {@code DriverEngine}, which serves the application's contexts. The application runner of the module submission calls
 * both: it opens a loader, starts the engine, runs the main method and closes both in reverse order at the end.
 * <p>Executors receive the driver's bundles as a list of {@code FrozenBundle} and start exactly these versions, so that
 * driver and executors run the same code. {@code ApplicationSettings} holds the setting keys shared by front ends,
 * drivers and cluster managers.
 * <p>Bundles that lend classes to applications register {@code ApplicationEnd}, to be called when an application is
 * over, and {@code ApplicationFiles}, which makes files for each application.
 * <p>Threads: loaders and engine may be called from any thread and may block; never call them on an event loop.
 * Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.application;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
