/**
 * Serialisation of user functions (closures) and other user objects, with a filter for the classes that may be
 * deserialised.
 */
@NullMarked
package dev.hearth.engine.internal.closure;

import org.jspecify.annotations.NullMarked;
