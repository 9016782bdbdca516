/** Cluster manager {@code local-cluster}: executor processes on the driver's machine. Internal: found as a service. */
@NullMarked
package dev.hearth.local.cluster;

import org.jspecify.annotations.NullMarked;
