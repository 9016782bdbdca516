/** Which stages a job needs, which are there, which come next. A state machine and its words. */
@NullMarked
package dev.hearth.engine.internal.dag;

import org.jspecify.annotations.NullMarked;
