/**
 * Calls to services that can be replaced while they are in use.
 * <p>The kernel implements {@code LiveServices}. A component that calls a service across a hot deployment holds a
 * {@code Live} handle instead of the service object; each call goes to the newest provider, and the deployer waits for
 * running calls before it removes an old one.
 * <p>Threads: any thread may call. A call blocks for a bounded time while no provider is available, so event loops must
 * not use it. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.live;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
