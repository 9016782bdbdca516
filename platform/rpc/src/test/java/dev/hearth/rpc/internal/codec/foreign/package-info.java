/** Records that the codec reaches through their protocol's lookup alone. */
@NullMarked
package dev.hearth.rpc.internal.codec.foreign;

import org.jspecify.annotations.NullMarked;
