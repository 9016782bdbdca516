/** Values of a task in arrays of their own kind: what would be an object each takes four or eight bytes. */
@NullMarked
package dev.hearth.engine.internal.column;

import org.jspecify.annotations.NullMarked;
