/** The role {@code driver}, in which cluster managers start processes. */
@NullMarked
package dev.hearth.submission.internal;

import org.jspecify.annotations.NullMarked;
