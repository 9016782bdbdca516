/** Uploaded files that masters and workers hold for drivers. */
@NullMarked
package dev.hearth.standalone.internal.contents;

import org.jspecify.annotations.NullMarked;
