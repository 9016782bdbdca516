/** How far the stages of an application are, in one line at a terminal that is written over and over. */
@NullMarked
package dev.hearth.status.progress;

import org.jspecify.annotations.NullMarked;
