/** User objects to bytes and back, through the gate that says which classes may come out. */
@NullMarked
package dev.hearth.engine.internal.closure;

import org.jspecify.annotations.NullMarked;
