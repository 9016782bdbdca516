/**
 * Backends of drivers: which line an application has to YARN, and how it comes to one.
 *
 * <p>In client mode, the driver submits an application of its own, with its application master in a container (the relay) or,
 * if {@code hearth.yarn.unmanagedAM.enabled} is true, in the driver's process. In cluster mode, the driver is the application
 * master, whose seat has registered before the program began; each context takes part in that application.
 *
 * <p>All three have the same allocator and the same launches of executors. They differ in the line alone.
 */
@NullMarked
package dev.hearth.yarn.internal.driver;

import org.jspecify.annotations.NullMarked;
