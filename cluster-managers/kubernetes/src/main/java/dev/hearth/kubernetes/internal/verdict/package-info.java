/** Causes of lost executors, from the facts about their pods. Pure functions. */
@NullMarked
package dev.hearth.kubernetes.internal.verdict;

import org.jspecify.annotations.NullMarked;
