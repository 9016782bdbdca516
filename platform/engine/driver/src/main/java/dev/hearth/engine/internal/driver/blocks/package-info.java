/**
 * The cached blocks of an application, as its driver manages them: their locations, their replication and migration,
 * and their removal once the application no longer needs them. Owned by the driver's event loop.
 */
@NullMarked
package dev.hearth.engine.internal.driver.blocks;

import org.jspecify.annotations.NullMarked;
