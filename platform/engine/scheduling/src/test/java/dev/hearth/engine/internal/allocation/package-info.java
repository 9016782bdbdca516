/** Tests of dynamic allocation. */
@NullMarked
package dev.hearth.engine.internal.allocation;

import org.jspecify.annotations.NullMarked;
