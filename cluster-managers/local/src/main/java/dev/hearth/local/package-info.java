/**
 * Cluster manager {@code local}, which runs an executor inside the driver's process. Internal: bundles find it as a
 * service, and it exports no package.
 */
@NullMarked
package dev.hearth.local;

import org.jspecify.annotations.NullMarked;
