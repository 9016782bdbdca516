/**
 * Cluster manager {@code local-cluster}, which runs executor processes on the driver's machine. Internal: bundles find
 * it as a service.
 */
@NullMarked
package dev.hearth.local.cluster;

import org.jspecify.annotations.NullMarked;
