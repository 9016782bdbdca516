/** Bundles that applications freeze for their executors: chosen and kept by drivers, started by executors. */
@NullMarked
package dev.hearth.kernel.internal.frozen;

import org.jspecify.annotations.NullMarked;
