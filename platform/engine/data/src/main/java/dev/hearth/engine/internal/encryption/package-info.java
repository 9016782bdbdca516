/** Encryption of temporary files. If encryption is off, only the classes of its settings are loaded. */
@NullMarked
package dev.hearth.engine.internal.encryption;

import org.jspecify.annotations.NullMarked;
