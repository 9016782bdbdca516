/** Records that the codec can only reach through the lookup of their protocol. */
@NullMarked
package dev.hearth.rpc.internal.codec.foreign;

import org.jspecify.annotations.NullMarked;
