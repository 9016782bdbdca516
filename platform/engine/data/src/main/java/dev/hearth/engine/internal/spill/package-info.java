/** Format of the temporary files to which sorts and hash tables spill: how entries are written and read back. */
@NullMarked
package dev.hearth.engine.internal.spill;

import org.jspecify.annotations.NullMarked;
