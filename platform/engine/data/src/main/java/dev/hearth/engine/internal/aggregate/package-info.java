/** Pairs brought together by key in tables of their own kind, which spill by hash when there is no room. */
@NullMarked
package dev.hearth.engine.internal.aggregate;

import org.jspecify.annotations.NullMarked;
