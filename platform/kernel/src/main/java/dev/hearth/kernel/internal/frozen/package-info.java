/**
 * Snapshots of bundles for executors. Drivers select and copy the bundles; executors fetch and start them. Internal.
 */
@NullMarked
package dev.hearth.kernel.internal.frozen;

import org.jspecify.annotations.NullMarked;
