/** Bytes that nobody reads or changes but the processes of one application. Loaded, but for the settings, where that is wanted. */
@NullMarked
package dev.hearth.engine.internal.encryption;

import org.jspecify.annotations.NullMarked;
