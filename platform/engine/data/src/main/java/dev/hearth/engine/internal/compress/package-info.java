/**
 * Compression of blocks of bytes. The compression library is loaded lazily, when the first block is compressed or
 * decompressed.
 */
@NullMarked
package dev.hearth.engine.internal.compress;

import org.jspecify.annotations.NullMarked;
