/** Compressed files by their suffix: what reads them strictly, and what writes them. */
@NullMarked
package dev.hearth.engine.internal.filecodec;

import org.jspecify.annotations.NullMarked;
