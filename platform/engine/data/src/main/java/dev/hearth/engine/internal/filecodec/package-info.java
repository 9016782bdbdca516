/**
 * Compression codecs of input and output files, chosen by file suffix. The decoders are strict: corrupt or truncated
 * input is an error.
 */
@NullMarked
package dev.hearth.engine.internal.filecodec;

import org.jspecify.annotations.NullMarked;
