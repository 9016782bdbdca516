/**
 * Codec of messages: records to bytes and back, derived from the components of the records. Decoding of any bytes
 * yields a message or a typed failure. Start reading at {@code ProtocolCodec}. Not exported.
 */
@NullMarked
package dev.hearth.rpc.internal.codec;

import org.jspecify.annotations.NullMarked;
