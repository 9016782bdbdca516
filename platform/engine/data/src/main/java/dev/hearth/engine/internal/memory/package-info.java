/** One budget for what tasks work with and what is kept: who takes, who gives back, who makes room. */
@NullMarked
package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.NullMarked;
