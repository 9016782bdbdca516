/**
 * Services of the driver for executors in other processes: jars, bundles, files, broadcast values, serialised stages
 * and map-output locations. Thread-safe unless a type states otherwise.
 */
@NullMarked
package dev.hearth.engine.internal.driver.serving;

import org.jspecify.annotations.NullMarked;
