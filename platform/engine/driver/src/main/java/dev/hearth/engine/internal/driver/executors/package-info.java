/**
 * The executors of a driver: their admission, heartbeats, loss and decommissioning, and dynamic allocation. Owned by
 * the driver's event loop.
 */
@NullMarked
package dev.hearth.engine.internal.driver.executors;

import org.jspecify.annotations.NullMarked;
