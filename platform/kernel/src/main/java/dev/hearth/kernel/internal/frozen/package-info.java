/** Snapshots of bundles for executors: drivers select and copy them, executors fetch and start them. Internal. */
@NullMarked
package dev.hearth.kernel.internal.frozen;

import org.jspecify.annotations.NullMarked;
