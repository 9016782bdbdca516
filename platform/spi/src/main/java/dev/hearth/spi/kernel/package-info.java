/**
 * Inspection and control of the running process: bundles, services, deployment, log levels.
 * <p>The kernel implements all of these services. Shell commands, HTTP pages and the deployment tests call them.
 * Components that need a bundle only for some settings, such as the message system, call {@code OnDemandBundles}.
 * <p>Threads: any thread may call. {@code Deployer.deploy} and {@code OnDemandBundles.startFor} may block; never call
 * them on an event loop. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.kernel;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
