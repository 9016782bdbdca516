/** Tests of how the number of executors follows the load. */
@NullMarked
package dev.hearth.engine.internal.allocation;

import org.jspecify.annotations.NullMarked;
