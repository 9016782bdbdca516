/** Bytes made smaller, a block at a time. The library behind it is loaded with the first block. */
@NullMarked
package dev.hearth.engine.internal.compress;

import org.jspecify.annotations.NullMarked;
