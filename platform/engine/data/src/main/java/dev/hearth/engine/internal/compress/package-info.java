/** Block compression. The compression library is loaded lazily, with the first block. */
@NullMarked
package dev.hearth.engine.internal.compress;

import org.jspecify.annotations.NullMarked;
