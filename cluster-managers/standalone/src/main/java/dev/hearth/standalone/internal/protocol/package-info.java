/** What masters, workers, drivers and submitters of a standalone cluster tell each other. */
@NullMarked
package dev.hearth.standalone.internal.protocol;

import org.jspecify.annotations.NullMarked;
