/** Format of spilled runs: how entries are written to a temporary file and read back. */
@NullMarked
package dev.hearth.engine.internal.spill;

import org.jspecify.annotations.NullMarked;
