/** The role of a driver that a cluster started. */
@NullMarked
package dev.hearth.submission.internal;

import org.jspecify.annotations.NullMarked;
