/** Runs of entries that did not fit in memory: how they are written to a temporary file and read again. */
@NullMarked
package dev.hearth.engine.internal.spill;

import org.jspecify.annotations.NullMarked;
