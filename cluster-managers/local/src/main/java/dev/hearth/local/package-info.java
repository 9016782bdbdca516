/**
 * Cluster manager {@code local}: an executor inside the driver's process. Internal: found as a service, not exported.
 */
@NullMarked
package dev.hearth.local;

import org.jspecify.annotations.NullMarked;
