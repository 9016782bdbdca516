/** What records cost. */
@NullMarked
package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.NullMarked;
