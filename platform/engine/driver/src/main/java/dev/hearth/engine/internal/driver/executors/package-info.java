/**
 * The executors of a driver: admission, heartbeats, loss, decommissioning and dynamic allocation. Owned by the
 * driver's loop.
 */
@NullMarked
package dev.hearth.engine.internal.driver.executors;

import org.jspecify.annotations.NullMarked;
