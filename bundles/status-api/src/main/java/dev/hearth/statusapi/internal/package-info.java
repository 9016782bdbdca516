/** Answers what applications do, as JSON in the shape that programs of the field read. */
@NullMarked
package dev.hearth.statusapi.internal;

import org.jspecify.annotations.NullMarked;
