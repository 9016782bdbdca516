/** Records of the user's as bytes: compact, each readable by itself, through the same gate as everything else. */
@NullMarked
package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.NullMarked;
