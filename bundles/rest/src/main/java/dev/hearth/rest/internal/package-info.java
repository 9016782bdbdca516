/** Submissions by HTTP, in the first version of the protocol of Spark's masters. */
@NullMarked
package dev.hearth.rest.internal;

import org.jspecify.annotations.NullMarked;
