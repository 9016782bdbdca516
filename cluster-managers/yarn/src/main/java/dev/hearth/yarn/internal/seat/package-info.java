/**
 * Drivers in cluster mode: the driver is the application master. Its seat registers with the ResourceManager before the
 * program begins and ends the application after it, so that contexts may come late, several times, or never.
 */
@NullMarked
package dev.hearth.yarn.internal.seat;

import org.jspecify.annotations.NullMarked;
