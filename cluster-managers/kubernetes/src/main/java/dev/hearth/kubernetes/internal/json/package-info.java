/** Trees of JSON and their texts: the one place that knows how they are read and written. */
@NullMarked
package dev.hearth.kubernetes.internal.json;

import org.jspecify.annotations.NullMarked;
