/** Files, archives and jars that a program adds for its tasks: the driver's list of them, and the copies that tasks find. */
@NullMarked
package dev.hearth.engine.internal.attachments;

import org.jspecify.annotations.NullMarked;
