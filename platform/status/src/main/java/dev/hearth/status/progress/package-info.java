/** The console progress bar. */
@NullMarked
package dev.hearth.status.progress;

import org.jspecify.annotations.NullMarked;
