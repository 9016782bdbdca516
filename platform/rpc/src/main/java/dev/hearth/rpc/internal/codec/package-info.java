/** Records to bytes and back, derived from their components; any bytes give a message or a typed failure. Not exported. */
@NullMarked
package dev.hearth.rpc.internal.codec;

import org.jspecify.annotations.NullMarked;
