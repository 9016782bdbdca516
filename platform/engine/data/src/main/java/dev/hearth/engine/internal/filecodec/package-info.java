/** Compression codecs of input and output files, chosen by file suffix: strict decoders and the matching encoders. */
@NullMarked
package dev.hearth.engine.internal.filecodec;

import org.jspecify.annotations.NullMarked;
