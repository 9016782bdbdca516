/**
 * The cached blocks of an application in its driver: locations, replication, migration, and removal of dropped data.
 * Owned by the driver's loop.
 */
@NullMarked
package dev.hearth.engine.internal.driver.blocks;

import org.jspecify.annotations.NullMarked;
