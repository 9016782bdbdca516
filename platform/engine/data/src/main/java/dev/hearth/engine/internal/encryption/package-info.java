/** Encryption of temporary files. All classes but the settings are loaded lazily, when encryption is on. */
@NullMarked
package dev.hearth.engine.internal.encryption;

import org.jspecify.annotations.NullMarked;
