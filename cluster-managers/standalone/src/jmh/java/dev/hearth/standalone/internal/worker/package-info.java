/** Programs that measure a master from outside, with workers that are imitated. */
@NullMarked
package dev.hearth.standalone.internal.worker;

import org.jspecify.annotations.NullMarked;
