/** The role {@code driver}, started by cluster managers. */
@NullMarked
package dev.hearth.submission.internal;

import org.jspecify.annotations.NullMarked;
